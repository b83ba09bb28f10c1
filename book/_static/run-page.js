// Python for a page: its code, the editor, the worker, the results. Loaded by run.js at the first click.

const {blocks, gone, elsewhere, LIBRARIES, make, button, kept, keep, root, page, notebook, HEADS} = window.runCells;
const megabytes = bytes => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

// ---- The code of the page, asked for at the first click.

let data;

export async function load() {
  if (!data) {
    const [cells, sizes] = await Promise.all([`cells/${page}.json`, "pyodide/sizes.json"].map(async name => {
      const response = await fetch(new URL(name, root));
      if (!response.ok) throw new Error(`${response.status} for ${name}`);
      return response.json();
    }));
    data = {...cells, sizes};
  }
}

const cellOf = id => data.cells.find(cell => cell.id === id) || data.asides.find(aside => aside.id === id);
const current = cell => ({...cell, source: blocks.get(cell.id)?.edit?.source ?? cell.source});

// ---- What is fetched from another host: only what the reader has agreed to, in this version; another one asks again.

const FETCHED = "fetched libraries";
let fetched = kept(FETCHED) ?? {};  // library -> mark

const agreed = () => Object.keys(data.libraries).filter(library => data.libraries[library].mark === fetched[library]);
const unagreed = libraries => libraries.filter(library => data.libraries[library]?.host && !agreed().includes(library));
const packagesOf = libraries => new Set(libraries.flatMap(library => data.libraries[library].packages)).size;
const listed = words => words.join(", ").replace(/, ([^,]*)$/, " and $1");

function agree(libraries) {
  fetched = {...kept(FETCHED), ...fetched, ...Object.fromEntries(libraries.map(library => [library, data.libraries[library].mark]))};
  keep(FETCHED, fetched);
}

function question(block, libraries) {
  const names = listed(libraries.map(library => LIBRARIES[library])), {host} = data.libraries[libraries[0]], many = libraries.length > 1;
  const others = packagesOf([...agreed(), ...libraries]) - packagesOf(agreed()) - libraries.length;
  const what = `${many ? "them" : "it"}${others ? `, with ${others} ${others > 1 ? "packages" : "package"} that ${many ? "they need" : "it needs"},` : ""}`;
  const press = button("fetch-libraries", `Fetch ${names}`, () => {
    agree(libraries);
    block.runButton.focus();
    run(block);
  });
  return [make("p", {}, `This cell needs ${names}. Fetch ${what} once from ${host}, the address of Pyodide’s distribution? The download is checked against the SHA-256 in this book, and stays in this browser. That host is asked for nothing before you press the button; then it sees your IP address, as every host does.`),
    make("p", {className: "run-note"}, press), elsewhere("")];
}

// ---- The bar at the foot of the window, while Python is busy. What changes often stands outside of what is read aloud.

let bar, words, amount, stopButton, closed, begun, clock, leaving;

// What the bar says of a run that did not finish.
const ENDS = {counterexample: "counterexample found", claim: "the check does not accept this", needs: "the cell needs more than this page provides", error: "the cell has an error"};

function showBar() {
  if (bar) return;
  words = make("span", {className: "python-words", role: "status"});
  amount = make("span", {className: "python-amount"});
  stopButton = button("python-stop", "Stop", stop);
  const resetButton = button("python-reset", "Reset: forget results", reset);
  resetButton.title = "Forget all results; your edits stay";
  const closeButton = button("python-close", "×", () => { closed = bar.hidden = true; });
  closeButton.ariaLabel = closeButton.title = "Close; the bar comes back while a cell runs";
  bar = make("div", {className: "python-bar", role: "region", ariaLabel: "Python"}, words, amount, stopButton, resetButton, closeButton);
  document.body.append(bar);
}

function say(text) {
  showBar();
  if (words.textContent !== text) {
    words.textContent = text;
    amount.textContent = "";
    begun = Date.now();
    clearInterval(clock);
    if (running) clock = setInterval(() => { if (!total) amount.textContent = `${Math.round((Date.now() - begun) / 1000)} s`; }, 1000);
  }
  stopButton.hidden = !running;
  bar.hidden = Boolean(closed && !running);
  clearTimeout(leaving);
}

// When Python is ready the bar goes away by itself, but not from under the pointer or the focus.
function leaveSoon() {
  leaving = setTimeout(() => {
    if (bar?.matches(":hover, :focus-within")) leaveSoon();
    else if (bar) bar.hidden = true;
  }, 5000);
}

function stop() {
  end();
  finish({kind: "stopped", message: "Python has forgotten all results; the next Run starts it anew, and your edits stay."});
  say("Python was stopped, and has forgotten all results.");
}

function reset() {
  end();
  finish({kind: "stopped", message: ""});
  for (const block of blocks.values()) block.clear();
  bar.remove();
  bar = null;
}

// ---- The worker.

let worker, running, doing = "", total = 0;

function end() {
  worker?.terminate();
  worker = null;
}

function started() {
  if (worker) return;
  worker = new Worker(new URL("run-worker.js", root), {type: "module"});
  worker.addEventListener("message", ({data: message}) => heard(message));
  worker.addEventListener("error", event => heard({failed: event.message || "the worker did not start", loading: true}));
  const {wheel, libraries, distribution, sizes} = data;
  worker.postMessage({start: {root: root.href, wheel: new URL(`../download/${wheel}`, root).href, libraries, distribution, sizes}});
}

function heard(message) {
  if (!running) return;
  if (message.doing) {
    ({doing, total = 0} = message);
    say(`${doing} …`);
  } else if (message.arrived) {
    amount.textContent = total ? `${megabytes(Math.min(message.arrived, total))} of ${megabytes(total)} MB` : `${megabytes(message.arrived)} MB`;
    if (!total || message.arrived < total) return;
    total = 0;
    say(`${doing.replace("Loading", "Starting")} …`);
  } else if (message.first) {
    running.first(message.first);
  } else if (message.again) {
    running.clearOutput();
  } else if (message.output) {
    running.output(message.output);
  } else if (message.failed) {
    end();
    const text = message.loading ? `Python could not be loaded (${message.failed}). Check that you are online, and press Run again.`
      : `Python ended (${message.failed}). Press Run to start it anew; your edits stay.`;
    finish({kind: "error", message: text});
    say("Python is not running.");
  } else if (message.done) {
    finish(message.problem, message.seconds);
    say(message.problem ? `Python is ready: ${ENDS[message.problem.kind]}.` : "Python is ready.");
    leaveSoon();
  }
}

function finish(problem, seconds) {
  const run = running;
  running = null;
  total = 0;
  clearInterval(clock);
  run?.finish(problem, seconds);
}

// ---- Results.

let katex;

function loadKatex() {
  katex ||= new Promise((resolve, reject) => {
    const loader = make("script", {src: new URL("katex.min.js", root).href, onload: () => resolve(self.katex), onerror: reject});
    document.head.append(loader);
  });
  return katex;
}

function formula(latex, display = false) {
  const place = make("span", {className: "formula", textContent: latex});
  if (display) place.dataset.display = "";
  loadKatex().then(katex => katex.render(latex, place, {displayMode: display, output: "mathml", throwOnError: false, strict: false}), () => {});
  return place;
}

// Of Markdown, what the book's functions write: tables, code, paragraphs; within them formulas and words of code.
function inline(text) {
  return text.split(/(\$[^$]+\$|`[^`]+`|\*\*[^*]+\*\*)/).map(part =>
    /^\$.+\$$/s.test(part) ? formula(part.slice(1, -1)) :
    /^`.+`$/s.test(part) ? make("code", {textContent: part.slice(1, -1)}) :
    /^\*\*.+\*\*$/s.test(part) ? make("strong", {textContent: part.slice(2, -2)}) : part);
}

function markdown(text) {
  const result = make("div");
  for (const part of text.split(/(```[^]*?```)|\n\s*\n/).filter(part => part?.trim())) {
    const lines = part.trim().split("\n");
    if (part.startsWith("```")) {
      result.append(make("pre", {textContent: lines.slice(1, -1).join("\n")}));
    } else if (lines[1]?.match(/^\|[\s:|-]+\|$/)) {
      const cells = line => line.replace(/^\||\|$/g, "").split("|").map(cell => cell.trim());
      const table = make("table", {className: "table"}), head = cells(lines[0]);
      if (head.some(Boolean)) table.append(make("thead", {}, make("tr", {}, ...head.map(cell => make("th", {scope: "col"}, ...inline(cell))))));
      else table.className = "steps";
      table.append(make("tbody", {}, ...lines.slice(2).map(line => make("tr", {}, ...cells(line).map(cell => make("td", {}, ...inline(cell)))))));
      result.append(make("div", {className: "run-scrolls"}, table));
    } else {
      result.append(make("p", {}, ...inline(lines.join(" "))));
    }
  }
  return result;
}

// What Python made of markup, without what would run, load or leave the page.
function drawn(markup, className) {
  const {body} = new DOMParser().parseFromString(markup, "text/html");
  for (const part of body.querySelectorAll("script, iframe, object, embed, link, meta, base, form")) part.remove();
  for (const part of body.querySelectorAll("*"))
    for (const {name, value} of [...part.attributes]) if (/^on/.test(name) || /^javascript:/i.test(value.replace(/[\0-\x20]/g, ""))) part.removeAttribute(name);
  return make("div", {className}, ...body.childNodes);
}

function shown(forms) {
  if (forms["image/svg+xml"]) return drawn(forms["image/svg+xml"], "run-picture");
  if (forms["text/html"]) return held(drawn(forms["text/html"], "run-html"));
  if (forms["text/markdown"]) return markdown(forms["text/markdown"]);
  if (forms["text/latex"]) return make("div", {className: "run-scrolls"}, formula(forms["text/latex"].replace(/^\$+|\$+$/g, "").replace(/^\\displaystyle/, ""), true));
  return make("pre", {textContent: forms["text/plain"]});
}

// The record of a claim, in the words of the book's lines of checks.
function held(html) {
  for (const check of html.querySelectorAll(".claim-check")) {
    const label = check.querySelector(".claim-label");
    label.textContent = label.textContent.replace("✓", "✓ holds:");
    const miss = check.querySelector(".claim-near-miss");
    if (miss) miss.textContent = miss.textContent.replace("Near miss:", "Tempting but wrong:");
  }
  return html;
}

const comparable = outputs => {
  const found = [];
  for (const {printed, shown} of outputs) {
    if (shown) found.push(["text/latex", "text/markdown", "text/html", "text/plain"].map(kind => shown[kind] ?? "").find(Boolean));
    else if (typeof found.at(-1) === "object") found.at(-1).text += printed;
    else found.push({text: printed});
  }
  return JSON.stringify(found.map(each => (each.text ?? each).replace(/\s+/g, " ").trim()));
};

// ---- The editor.

export function edit(block) {
  const cell = cellOf(block.id);
  const area = make("textarea", {className: "run-code", value: current(cell).source, spellcheck: false, autocapitalize: "off", autocomplete: "off",
    ariaLabel: "Code of this cell. Control+Enter runs it, and Escape leaves it."});
  const fit = () => { area.rows = area.value.split("\n").length; };
  area.addEventListener("input", () => {
    fit();
    if (area.value !== cell.source) block.setEdit(area.value);
    else block.forgetEdit();
  });
  area.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.shiftKey || event.metaKey)) {
      event.preventDefault();
      run(block);
    } else if (event.key === "Escape") {
      leave.click();
    } else if (event.key === "Enter") {  // the next line begins where this one does, or deeper
      event.preventDefault();
      const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
      area.setRangeText(`\n${line.match(/^ */)[0]}${/:\s*$/.test(line) ? "    " : ""}`, area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input"));
    }
  });
  fit();
  block.pre.hidden = true;
  const leave = button("done", "Done", () => {
    block.leaveEditor();
    block.editButton.focus();
  });
  block.editor = make("div", {className: "run-editor"}, area, make("p", {className: "run-note"}, "Control+Enter runs, Escape leaves ", leave));
  block.pre.after(block.editor);
  block.box.classList.add("editing");
  block.editButton.textContent = "Done";
  area.focus();
  area.setSelectionRange(0, 0);
}

// ---- The notebook of this page with the reader's edits: a changed cell has no output, and what is no cell of it stands at its end.

export async function save() {
  const response = await fetch(notebook).catch(() => null), mine = [];
  if (!response?.ok) return say("The notebook of this page could not be loaded, so nothing was saved. Check that you are online, and try again; your edits stay.");
  const whole = await response.json();
  for (const {id, edit} of [...blocks.values(), ...gone.values()]) {
    if (!edit) continue;
    const cell = whole.cells.find(cell => cell.id === id), name = cellOf(id)?.defines;
    const source = name ? `${edit.source.trimEnd()}\n\nimport metrics.exact.definitions\n${name} = ${name.split(".").at(-1)}` : edit.source;
    if (cell) Object.assign(cell, {source, outputs: [], execution_count: null});
    else mine.push({cell_type: "code", id, metadata: {}, source, outputs: [], execution_count: null});
  }
  if (mine.length) whole.cells.push({cell_type: "markdown", id: "my-own-code", metadata: {}, source: "## My own code"}, ...mine);
  keepFile(`my-${notebook.split("/").at(-1)}`, whole);
  say(`Saved as my-${notebook.split("/").at(-1)}, with what you changed on this page.`);
}

// The homework of the page, with the functions that the reader wrote in place of its holes.
export async function saveSheet(address) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) return say("The sheet could not be loaded, so nothing was saved. Check that you are online, and try again; your functions stay.");
  const sheet = await response.json(), source = cell => [cell.source].flat().join(""), written = [];
  for (const cell of sheet.cells) {
    const name = /^check\(task\("(\w+)"\)/.exec(source(cell))?.[1], mine = blocks.get(`write-${name}`)?.edit?.source;
    if (!mine) continue;
    sheet.cells.find(({id}) => id === cell.id.replace("check", "hole")).source = mine.replace(/^check\(task\(.*\n?/gm, "").trim();
    written.push(name);
  }
  const name = address.split("/").at(-1);
  keepFile(name, sheet);
  say(written.length ? `Saved as ${name}, with ${listed(written)}. Write your name into it before you hand it in.` : `Saved as ${name}; you have not written a function here yet.`);
}

function keepFile(name, content) {
  const link = make("a", {href: URL.createObjectURL(new Blob([JSON.stringify(content, null, 1)], {type: "application/x-ipynb+json"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// ---- A run, and what it shows below the code.

export async function run(block) {
  if (running) return say("Python is still running. Stop ends it.");
  const asked = block.edit ? [] : unagreed(block.asks);
  if (asked.length) return block.say("asks", ...question(block, asked));
  running = new Run(block);
  total = 0;
  say(worker ? "Running …" : "Starting Python …");
  try {
    started();
  } catch (error) {
    return heard({failed: error.message, loading: true});
  }
  worker.postMessage({cells: data.cells.map(current), target: current(cellOf(block.id)), agreed: agreed()});
}

// A counterexample, with the names of its sides.
function differ({at, sides, relation, agreed}) {
  const [first, second] = sides.map(([name, value], number) => `${name || `the ${["first", "second"][number]} side`} gives ${value}`);
  const wanted = relation === "=" ? "" : `, but the first should be ${relation} the second`;
  const others = agreed > 1 ? ` The ${agreed.toLocaleString("en")} cases before it agree.` : agreed ? " The case before it agrees." : " It is the first case.";
  return `At ${at}: ${first}, and ${second}${wanted}.${others}`;
}

class Run {
  constructor(block) {
    this.block = block;
    this.outputs = [];
    this.head = make("p", {className: "run-head", textContent: "Your run"});
    this.body = make("div", {className: "run-output"});
    block.show("own", this.head, this.body);
    block.runButton.textContent = "Running …";
  }

  first(all) {
    this.earlier?.remove();
    const ids = all.filter(id => id !== "find-metrics"); // it only sets how results look
    if (!ids.length) return;
    const links = ids.map(id => make("li", {}, make("a", {href: `#code-${id}`, textContent: cellOf(id).source.split("\n")[0].slice(0, 60)})));
    this.earlier = make("details", {className: "run-first"},
      make("summary", {textContent: ids.length === 1 ? "ran 1 earlier cell first" : `ran ${ids.length} earlier cells first`}), make("ul", {}, ...links));
    this.head.after(this.earlier);
  }

  clearOutput() {
    this.outputs = [];
    this.body.replaceChildren();
    this.stream = this.more = null;
  }

  output(output) {
    if (output.shown) {
      this.outputs.push(output);
      this.body.append(shown(output.shown));
      this.stream = this.more = null;
      return;
    }
    if (output.printed) {
      this.outputs.push(output);
      if (!this.stream?.isConnected) this.body.append(this.stream = make("pre", {tabIndex: 0, ariaLabel: "printed"}));
      this.stream.append(output.printed);
    }
    if (output.hidden) {
      if (!this.more) this.body.append(this.more = make("p", {className: "run-note"}));
      this.more.textContent = `… ${output.hidden.toLocaleString("en")} more lines are not shown`;
    }
  }

  finish(problem, seconds) {
    const {id} = this.block;
    this.stream = this.more = null;
    this.block.runButton.textContent = "Run again";
    let same = false;
    if (problem) {
      this.block.result.classList.add(`run-${problem.kind}`);
      const asks = problem.kind === "needs" && unagreed([problem.library]).length > 0;  // which only a run could tell
      this.head.textContent = HEADS[asks ? "asks" : problem.kind];
      const where = problem.cell && problem.cell !== id ? make("a", {href: `#code-${problem.cell}`, textContent: "an earlier cell"}) : null;
      const line = problem.line ? ["In ", where ?? "this cell", `, line ${problem.line}: `, make("code", {textContent: problem.code})] : where ? ["In ", where, ":"] : [];
      if (line.length) this.body.append(make("p", {}, ...line));
      this.body.append(...asks ? question(this.block, [problem.library]) : [problem.kind === "needs" ? elsewhere(problem.message) : make("p", {textContent: problem.sides ? differ(problem) : problem.message})]);
    } else {
      same = this.block.of === undefined && data.outputs[id]?.length && !data.outputs[id].some(output => output.picture)
        && comparable(this.outputs) === comparable(data.outputs[id]);
      const time = seconds >= 0.95 ? `, ${seconds.toFixed(0)} s` : "";
      this.head.textContent = `Your run${same ? ", the same as printed" : ""}${this.outputs.length ? "" : ": done, nothing to show"}${time}`;
    }
    const task = /^write-(\w+)$/.exec(id)?.[1], printed = this.outputs.map(output => output.printed ?? "").join("");
    if (task && printed.startsWith(`✓ ${task}:`)) keep(`passed ${task}`, true);  // for the page that counts
    if (this.block.forgetful) this.body.append(make("p", {className: "run-note", textContent: "This browser keeps nothing for this page, so your edits are lost when you close the page."}));
    document.dispatchEvent(new CustomEvent("python-done", {detail: {id, problem, same: Boolean(same), outputs: this.outputs}}));
  }
}
