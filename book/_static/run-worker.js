// Python, in a worker of its own, so that the page stays alive. It ends when the page ends it.

let python, session, place, data;

// ---- Loading, with what has arrived so far.

const load = self.fetch;
let arrived = 0, told = 0;

// A download that fails is told at once: Pyodide itself may wait for it without end.
function lost(error) {
  self.postMessage({failed: error.message || "a download was interrupted", loading: true});
  throw error;
}

self.fetch = async (address, options) => {
  const own = data.distribution || String(address).startsWith(new URL("..", data.root));
  const response = await (own ? load(address, options).catch(lost) : fetchedOnce(String(address), options));
  if (own && (!response.ok || !response.body)) lost(new Error(`${response.status} for ${response.url}`));
  const reader = response.body.getReader();
  const counted = new ReadableStream({
    async pull(stream) {
      const {done, value} = await reader.read().catch(lost);
      arrived += value?.byteLength ?? 0;
      if (done || Date.now() - told > 150) {
        told = Date.now();
        self.postMessage({arrived});
      }
      if (done) stream.close();
      else stream.enqueue(value);
    },
  });
  return new Response(counted, {status: response.status, headers: response.headers});
};

async function fetched(address) {
  return await (await self.fetch(address)).arrayBuffer();
}

async function start() {
  place = new URL("pyodide/", data.root).href;
  const from = data.distribution || place;
  self.postMessage({doing: "Loading Python", total: data.sizes.python});
  arrived = data.sizes.modules;
  const wheel = fetched(data.wheel);
  const {loadPyodide} = await import(`${from}pyodide.mjs`);
  python = await loadPyodide({indexURL: from});
  python.unpackArchive(await wheel, "wheel");
  python.FS.writeFile("in_the_page.py", new Uint8Array(await fetched(new URL("in_the_page.py", data.root))));
  python.globals.set("tell", text => self.postMessage({output: JSON.parse(text)}));
  session = python.runPython(`
import json, os, sys
os.environ["MPLBACKEND"] = "agg"
sys.path.insert(0, os.getcwd())
import in_the_page
sys.setrecursionlimit(max(sys.getrecursionlimit(), 2000))
class Told:
    def __init__(self):
        self.session = in_the_page.Session(lambda output: tell(json.dumps(output, default=str)))
    def run(self, cells, target, first):
        return json.dumps(self.session.run(json.loads(cells), json.loads(target), lambda ids: first(json.dumps(ids))))
    def forget(self, library):
        import importlib
        importlib.invalidate_caches()
        self.session.forget(library)
Told()`);
}

// ---- Libraries, when a cell asks for one.

let trouble;  // with the last file that did not come

// A file of another host, as the reader has agreed, once. Pyodide's lock names its SHA-256, and the browser refuses any other.
async function fetchedOnce(address, options) {
  const name = `${address}?${encodeURIComponent(options.integrity)}`, store = await self.caches?.open(`python of ${data.root}`).catch(() => null);
  const stored = await store?.match(name);
  if (stored) return stored;
  const polite = {mode: "cors", credentials: "omit", referrerPolicy: "no-referrer"};
  const response = await load(address, {...options, ...polite}).catch(async error => {
    const other = "sent a file other than the one whose SHA-256 is in this book, so the file was refused";
    trouble = await load(address, {...polite, method: "HEAD"}).then(({ok, status}) => ok ? other : `answered ${status}`, () => "did not answer");
    throw error;
  });
  await keepOnly(store, name, response.clone()).catch(() => null);
  return response;
}

// Instead of another version of the same file, and without those that the lock no longer names.
async function keepOnly(store, name, response) {
  const named = Object.values(python.lockfile.packages).map(each => each.file_name);
  for (const {url} of await store.keys()) if (url.split("?")[0] === name.split("?")[0] || !named.includes(url.split("?")[0])) await store.delete(url);
  await store.put(name, response);
}

// Load the library that is wanting; if it cannot be had, the problem says why.
async function bring(problem, agreed) {
  const {library} = problem, {packages, host} = data.libraries[library] ?? {};
  arrived = 0;
  if (library === "sympy" && !data.distribution) {
    self.postMessage({doing: "Loading SymPy", total: data.sizes.sympy});
    python.unpackArchive(await fetched(`${place}sympy.zip`), "zip", {extractDir: python.runPython("import site; site.getsitepackages()[0]")});
  } else if (packages && (!host || agreed.includes(library))) {
    self.postMessage({doing: `Loading ${library === "numpy" ? "NumPy" : library}${host && ` from ${host}`}`});
    await python.loadPackage(packages);
    const missing = packages.find(name => !python.loadedPackages[name]);
    if (missing) {
      problem.message = `This needs ${missing}, which could not be fetched: ${host} ${trouble}. Check that you are online, and run the cell again.`;
      return false;
    }
  } else {
    return false;
  }
  session.forget(library);
  return true;
}

// ---- Running.

async function run({cells, target, agreed}) {
  const tried = new Set();
  for (;;) {
    self.postMessage({doing: "Running"});
    const begun = performance.now();
    const problem = JSON.parse(session.run(JSON.stringify(cells), JSON.stringify(target), ids => self.postMessage({first: JSON.parse(ids)})));
    if (problem?.kind === "needs" && !tried.has(problem.library)) {
      tried.add(problem.library);
      if (await bring(problem, agreed)) {
        self.postMessage({again: true});
        continue;
      }
    }
    self.postMessage({done: true, problem, seconds: (performance.now() - begun) / 1000});
    return;
  }
}

let loading;

self.onmessage = async ({data: message}) => {
  try {
    if (message.start) {
      data = message.start;
      loading = start();
    } else {
      await loading;
      await run(message);
    }
  } catch (error) {
    self.postMessage({failed: String(error?.message || error).split("\n").at(-1) || "unknown reason", loading: !session});
  }
};
