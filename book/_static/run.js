// Run buttons. Until one is clicked, nothing is loaded and nothing runs.
"use strict";

(() => {
  const script = document.currentScript;
  const root = new URL(".", script.src);
  const {page, how, notebook, colab} = script.dataset;
  const LIBRARIES = {
    numpy: "NumPy", scipy: "SciPy", matplotlib: "matplotlib", sklearn: "scikit-learn", pytrec_eval: "pytrec_eval", pathlib: "the files of the book",
  };

  function make(tag, properties = {}, ...content) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...content);
    return element;
  }

  const button = (name, label, action) => {
    const made = make("button", {type: "button", className: name, textContent: label});
    made.addEventListener("click", action);
    return made;
  };

  const megabytes = bytes => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)}`;

  // ---- What is kept of the reader's edits, in this browser: the code, and that of the book when it was edited.

  const key = `edits of ${page}`;

  function kept() {
    try { return JSON.parse(localStorage.getItem(key)) || {}; } catch { return {}; }
  }

  function keep(id, edit) {
    try {
      const edits = kept();
      if (edit) edits[id] = edit;
      else delete edits[id];
      if (Object.keys(edits).length) localStorage.setItem(key, JSON.stringify(edits));
      else localStorage.removeItem(key);
      return true;
    } catch {
      return false;
    }
  }

  // ---- The code of the page, asked for at the first click.

  let data;

  async function pageData() {
    if (!data) {
      const [cells, sizes] = await Promise.all([`cells/${page}.json`, "pyodide/sizes.json"].map(async name => {
        const response = await fetch(new URL(name, root));
        if (!response.ok) throw new Error(`${response.status} for ${name}`);
        return response.json();
      }));
      data = {...cells, sizes};
    }
    return data;
  }

  const cellOf = id => data.cells.find(cell => cell.id === id) || data.asides.find(aside => aside.id === id);
  const current = cell => ({...cell, source: blocks.get(cell.id)?.edit?.source ?? cell.source});

  // ---- The bar at the foot of the window, while Python is alive.

  let bar, words, stopButton;

  function showBar() {
    if (bar) return;
    words = make("span", {className: "python-words"});
    words.setAttribute("role", "status");
    stopButton = button("python-stop", "Stop", stop);
    bar = make("div", {className: "python-bar"}, words, stopButton, button("python-reset", "Reset", reset));
    bar.setAttribute("role", "region");
    bar.setAttribute("aria-label", "Python");
    bar.lastChild.title = "Forget all results; edits stay";
    document.body.append(bar);
  }

  function say(text) {
    showBar();
    if (words.textContent !== text) words.textContent = text;
    stopButton.hidden = !running;
  }

  function stop() {
    end();
    running?.finish({kind: "stopped", message: "Stopped. Python has forgotten all results; the next Run starts it anew, and your edits stay."});
    say("Python was stopped, and has forgotten all results.");
    running = null;
    stopButton.hidden = true;
  }

  function reset() {
    end();
    running?.finish({kind: "stopped", message: "Stopped."});
    running = null;
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
    const {wheel, distribution, sizes} = data;
    worker.postMessage({start: {root: root.href, wheel: new URL(`../download/${wheel}`, root).href, distribution, sizes}});
  }

  function heard(message) {
    if (!running) return;
    if (message.doing) {
      ({doing, total = 0} = message);
      say(`${doing} …`);
    } else if (message.arrived) {
      say(`${doing}: ${megabytes(Math.min(message.arrived, total || message.arrived))} of ${megabytes(total)} MB`);
    } else if (message.first) {
      running.first(message.first);
    } else if (message.again) {
      running.clearOutput();
    } else if (message.output) {
      running.output(message.output);
    } else if (message.failed) {
      end();
      const text = message.loading ? `Python could not be loaded (${message.failed}). See that you are online, and press Run again.`
        : `Python ended (${message.failed}). Press Run to start it anew; your edits stay.`;
      finish({kind: "error", message: text});
      say("Python is not running.");
    } else if (message.done) {
      finish(message.problem, message.seconds);
      say(message.problem ? "Python is ready. The last cell did not finish; see the message below it." : "Python is ready.");
    }
  }

  function finish(problem, seconds) {
    const block = running;
    running = null;
    block.finish(problem, seconds);
  }

  // ---- Results.

  let katex;

  function loadKatex() {
    katex ||= new Promise((resolve, reject) => {
      const loader = make("script", {src: new URL("katex/katex.min.js", root).href, onload: () => resolve(self.katex), onerror: reject});
      document.head.append(loader);
    });
    return katex;
  }

  function formula(latex, display = false) {
    const place = make("span", {className: "math", textContent: latex});
    loadKatex().then(katex => katex.render(latex, place, {displayMode: display, throwOnError: false, strict: false}), () => {});
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

  function shown(forms) {
    if (forms["image/svg+xml"]) return make("div", {className: "run-picture", innerHTML: forms["image/svg+xml"]});
    if (forms["text/html"]) return make("div", {className: "run-html", innerHTML: forms["text/html"]});
    if (forms["text/markdown"]) return markdown(forms["text/markdown"]);
    if (forms["text/latex"]) return make("div", {className: "run-scrolls"}, formula(forms["text/latex"].replace(/^\$+|\$+$/g, "").replace(/^\\displaystyle/, ""), true));
    return make("pre", {textContent: forms["text/plain"]});
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

  const HEADS = {counterexample: "Counterexample", claim: "The check does not accept this", needs: "Not in this page", stopped: "Stopped", error: "Error"};

  function elsewhere(sentence) {
    const links = [make("a", {href: how, textContent: "JupyterLab"}), colab && make("a", {href: colab, textContent: "Colab"}),
      make("a", {href: notebook, download: "", textContent: "download this chapter"})].filter(Boolean);
    return make("p", {}, `${sentence} Run it elsewhere: `, ...links.flatMap((link, number) => number ? [" · ", link] : [link]), ".");
  }

  // ---- A block of code that runs.

  const blocks = new Map();

  class Block {
    constructor(box) {
      this.box = box;
      this.id = box.id.replace(/^code-/, "");
      this.wants = [...box.classList].filter(name => name.startsWith("wants-")).map(name => LIBRARIES[name.slice(6)]);
      this.pre = box.querySelector("pre");
      this.printed = this.pre.innerHTML;
      this.mark = this.pre.textContent;
      this.controls = make("div", {className: "run-controls"});
      this.runButton = button("run", this.wants.length ? "Run elsewhere" : "Run", () => this.run());
      this.controls.append(this.runButton);
      if (!this.wants.length) {
        this.editButton = button("edit", "Edit", () => this.startEditing());
        this.undoButton = button("undo", "Undo edits", () => this.undo());
        this.undoButton.hidden = true;
        this.controls.append(this.editButton, this.undoButton);
      }
      box.append(this.controls);
      const edit = kept()[this.id];
      if (edit && edit.of === this.mark) this.setEdit(edit.source);
      else if (edit) this.offer(edit);
    }

    // An edit of code that the book has changed since: kept, but not put in its place unasked.
    offer(edit) {
      const note = make("p", {className: "run-note"}, "You edited this cell, and the book has changed it since. ",
        button("restore", "Bring back your edit", () => { this.setEdit(edit.source); note.remove(); }), " ",
        button("discard", "Forget it", () => { keep(this.id, null); note.remove(); }));
      this.box.append(note);
    }

    setEdit(source) {
      this.edit = {source, of: this.mark};
      this.pre.textContent = source;
      this.box.classList.add("edited");
      this.undoButton.hidden = false;
      if (!keep(this.id, this.edit)) this.forgetful = true;
    }

    undo() {
      this.area?.remove();
      this.area = this.edit = null;
      this.pre.hidden = false;
      this.pre.innerHTML = this.printed;
      this.box.classList.remove("edited", "editing");
      this.undoButton.hidden = true;
      this.editButton.hidden = false;
      keep(this.id, null);
      this.runButton.focus();
    }

    async startEditing() {
      if (!await this.possible()) return;
      if (this.area) return this.area.focus();
      const {source} = current(cellOf(this.id));
      const area = this.area = make("textarea", {className: "run-code", value: source, spellcheck: false, autocapitalize: "off", autocomplete: "off"});
      area.setAttribute("aria-label", "Code of this cell. Control and Enter runs it, Escape leaves it.");
      const fit = () => { area.rows = area.value.split("\n").length; };
      area.addEventListener("input", () => {
        fit();
        if (area.value === cellOf(this.id).source) keep(this.id, null), this.edit = null, this.undoButton.hidden = true;
        else this.setEdit(area.value);
      });
      area.addEventListener("keydown", event => {
        if (event.key === "Enter" && (event.ctrlKey || event.shiftKey || event.metaKey)) {
          event.preventDefault();
          this.run();
        } else if (event.key === "Escape") {
          this.stopEditing();
          this.editButton.focus();
        } else if (event.key === "Enter") {  // the next line begins where this one does, or deeper
          event.preventDefault();
          const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
          area.setRangeText(`\n${line.match(/^ */)[0]}${/:\s*$/.test(line) ? "    " : ""}`, area.selectionStart, area.selectionEnd, "end");
          area.dispatchEvent(new Event("input"));
        }
      });
      fit();
      this.pre.hidden = true;
      this.pre.after(area);
      this.box.classList.add("editing");
      this.editButton.hidden = true;
      area.focus();
      area.setSelectionRange(0, 0);
    }

    stopEditing() {
      this.area.remove();
      this.area = null;
      if (!this.edit) this.pre.innerHTML = this.printed;
      this.pre.hidden = false;
      this.editButton.hidden = false;
      this.box.classList.remove("editing", ...(this.edit ? [] : ["edited"]));
    }

    // Whether the code can be had and run here; if not, the reason is said below the cell.
    async possible() {
      if (this.wants.length) {
        this.say("needs", elsewhere(`This cell needs ${this.wants.join(" and ")}, which this page does not bring.`));
      } else if (location.protocol === "file:") {
        this.say("needs", elsewhere("A page that is opened as a file cannot start Python. Type make serve in the book's folder, and open the address that it says."));
      } else if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
        this.say("needs", elsewhere("This browser has no WebAssembly, or has it switched off, so Python cannot run in it."));
      } else {
        try {
          await pageData();
          return true;
        } catch (error) {
          this.say("error", make("p", {}, `The code of this page could not be loaded (${error.message}). See that you are online, and press Run again.`));
        }
      }
      return false;
    }

    say(kind, ...content) {
      this.clear();
      this.result = make("div", {className: `run-result run-${kind}`}, make("p", {className: "run-head", textContent: HEADS[kind]}), ...content);
      this.result.firstChild.setAttribute("role", "status");
      this.box.append(this.result);
    }

    clear() {
      this.result?.remove();
      this.result = null;
    }

    async run() {
      if (running) return say("Python is still running. Stop ends it.");
      if (!await this.possible() || running) return;
      running = this;
      this.clear();
      this.outputs = [];
      this.body = make("div", {className: "run-output"});
      this.head = make("p", {className: "run-head", textContent: "Your run"});
      this.result = make("div", {className: "run-result"}, this.head, this.body);
      this.box.append(this.result);
      this.runButton.textContent = "Running …";
      say(worker ? "Running …" : "Starting Python …");
      try {
        started();
      } catch (error) {
        return heard({failed: error.message, loading: true});
      }
      worker.postMessage({cells: data.cells.map(current), target: current(cellOf(this.id))});
    }

    first(ids) {
      this.earlier?.remove();
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
      this.stream = this.more = null;
      this.problem = problem;
      this.runButton.textContent = "Run again";
      this.head.setAttribute("role", "status");
      if (problem) {
        this.result.classList.add(`run-${problem.kind}`);
        this.head.textContent = HEADS[problem.kind];
        const where = problem.cell && problem.cell !== this.id ? make("a", {href: `#code-${problem.cell}`, textContent: "An earlier cell"}) : null;
        const line = problem.line ? [where ?? "This cell", `, line ${problem.line}: `, make("code", {textContent: problem.code})] : where ? [where, " did not finish."] : [];
        if (line.length) this.body.append(make("p", {}, ...line));
        this.body.append(problem.kind === "needs" ? elsewhere(problem.message) : make("p", {textContent: problem.message}));
      } else {
        const same = !this.edit && data.outputs[this.id]?.length && !data.outputs[this.id].some(output => output.picture)
          && comparable(this.outputs) === comparable(data.outputs[this.id]);
        const time = seconds >= 0.95 ? `, ${seconds.toFixed(0)} s` : "";
        this.same = same;
        this.head.textContent = `Your run${same ? ", the same as printed" : ""}${this.outputs.length ? "" : ": done, nothing to show"}${time}`;
      }
      if (this.forgetful) this.body.append(make("p", {className: "run-note", textContent: "This browser keeps nothing for this page, so your edits end with it."}));
      document.dispatchEvent(new CustomEvent("python-done", {detail: {id: this.id, problem, same: this.same, outputs: this.outputs}}));
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const box of document.querySelectorAll(".runnable")) if (box.querySelector("pre")) blocks.set(box.id.slice(5), new Block(box));
  });
  window.runCells = {blocks, run: id => blocks.get(id).run()};
})();
