"""How tests open a page of the built book in a real browser, and what they note meanwhile."""

from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep

from axe_playwright_python.sync_playwright import Axe

WIDTHS = {1280: 900, 390: 844}
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    window.shifts.push([entry.value, entry.sources.map(s => s.node?.textContent?.trim().slice(0, 40))]);
}).observe({type: "layout-shift", buffered: true});
"""

# Of the thousands of pieces of formulas and of code, axe need not look at each: a formula becomes one letter as large as it
# was, and of the words of code the first of each colour stays. What holds them still scrolls where it did.
THIN = """() => {
  const formulas = [...document.querySelectorAll(".katex")].map(formula => [formula, formula.getBoundingClientRect()]);
  for (const [formula, box] of formulas) {
    formula.textContent = "x";
    formula.style.cssText = `display: inline-block; width: ${box.width}px; height: ${box.height}px`;
  }
  const seen = new Set();
  for (const word of document.querySelectorAll("pre span[class]")) {
    if (!word.className || seen.has(word.className)) word.replaceWith(...word.childNodes);
    seen.add(word.className);
  }
  for (const code of document.querySelectorAll("pre")) code.normalize();
}"""


class Handler(SimpleHTTPRequestHandler):
    """A server that says nothing, and sends a page in two parts: what jumps when the rest arrives is seen on a fast machine, too."""

    def log_message(self, *_):
        pass

    def copyfile(self, source, outputfile):
        page = source.read()
        start = page.find(b"</h1>") if page.lstrip().startswith(b"<!DOCTYPE") else 0
        outputfile.write(page[:start])
        sleep(0.4 if start > 0 else 0)  # the sheets have come by then, and the beginning is seen
        outputfile.write(page[start:])


@contextmanager
def serving(folder):
    """Serve a folder on a free port of this machine, and give the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class Visit:
    """A page that was opened, and what happened meanwhile."""

    def __init__(self, browser, address, path, width=1280, scheme="light", workers="block"):
        self.path = path
        self.look = f"{width} {scheme}"
        self.width = width
        self.context = browser.new_context(viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme, service_workers=workers)
        self.page = self.context.new_page()
        self.requests, self.responses, self.troubles = [], [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("response", lambda response: self.responses.append(response))  # noqa: PLW0108
        self.page.on("requestfailed", self._note_failure)
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("console", self._note_console)
        self.page.add_init_script(WATCH_SHIFTS)
        self.page.goto(address + path, wait_until="networkidle")
        self.page.wait_for_load_state("load")  # on a busy machine the network is idle before the page's scripts ran

    def _note_failure(self, request):
        if request.failure != "net::ERR_ABORTED":  # which is what becomes of an icon that still loads when the page is left
            self.troubles.append(f"failed: {request.url}: {request.failure}")

    def _note_console(self, message):
        if message.type in ("error", "warning") and "Service Worker registration blocked" not in message.text:  # as tests ask for
            self.troubles.append(f"console: {message.text}")


def violations(page):
    """What axe finds on a page that was thinned, but for what is minor, as lines."""
    result = Axe().run(page, options={"resultTypes": ["violations"]})
    serious = [violation for violation in result.response["violations"] if violation["impact"] != "minor"]
    return [f"{each['id']} ({each['impact']}): {node['html'][:160]}" for each in serious for node in each["nodes"][:4]]


# The outermost blocks of the article that show less than what is in them, and whether they scroll, from the keyboard too.
CLIPPED = r"""() => {
  const small = e => e.getBoundingClientRect().width < 2 || getComputedStyle(e).clipPath !== "none";  // for screen readers
  const clips = e => {
    const {overflowX, overflowY} = getComputedStyle(e), box = e.getBoundingClientRect();
    return e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && (overflowX !== "visible" || e.matches(".beside > *, .pair > *"))
      || e.scrollHeight > e.clientHeight + 4 && e.clientHeight > 0 && /hidden|clip/.test(overflowY)  // the box of a formula is larger than its ink
      || box.right > innerWidth + 1 || box.left < -1;
  };
  const blocks = [...document.querySelectorAll("article.bd-article :not(.katex, .katex *, svg, svg *)")];
  const found = blocks.filter(e => e.checkVisibility() && !small(e) && clips(e));
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex === 0;
  return found.filter(e => !found.some(other => other !== e && other.contains(e))).map(e => ({html: e.outerHTML.slice(0, 100), scrolls: scrolls(e)}));
}"""
