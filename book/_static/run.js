// Run buttons, and the reader's edits of this page. Nothing is loaded and nothing runs before a click; then run-page.js does.

const {page, how, notebook, colab, ...place} = document.currentScript.dataset;
const root = new URL(place.root, location);
const LIBRARIES = {
  numpy: "NumPy", scipy: "SciPy", matplotlib: "matplotlib", sklearn: "scikit-learn", pytrec_eval: "pytrec_eval", pathlib: "the files of the book",
};
const HEADS = {counterexample: "Counterexample", claim: "The check does not accept this", needs: "Not on this page", asks: "Not yet on this page", stopped: "Stopped", error: "Error"};

function button(name, label, action) {
  const made = make("button", {type: "button", className: name, textContent: label});
  made.addEventListener("click", action);
  return made;
}

// ---- What is kept of the reader's edits, in this browser: the code, and that of the book when it was edited.

const key = `edits of ${page}`;

function keepEdit(id, edit) {
  const edits = {...kept(key), [id]: edit};
  return keep(key, Object.values(edits).some(Boolean) ? edits : null);
}

function elsewhere(sentence) {
  const links = [make("a", {href: how, textContent: "how to run it on your machine, in JupyterLab"}), colab && make("a", {href: colab, textContent: "open it in Colab"}),
    make("a", {href: notebook, download: "", textContent: "download this chapter"})].filter(Boolean);
  return make("p", {}, `${sentence} To run it elsewhere: `, ...links.flatMap((link, number) => number ? [" · ", link] : [link]), ".");
}

// ---- A block of code that runs.

class Block {
  constructor(box) {
    this.box = box;
    this.id = box.id.replace(/^code-/, "");
    const libraries = kind => [...box.classList].filter(name => name.startsWith(kind)).map(name => name.slice(kind.length));
    this.wants = libraries("wants-").map(name => LIBRARIES[name]);
    this.asks = libraries("asks-");  // those that the page can load
    this.pre = box.querySelector("pre");
    this.printed = [...this.pre.childNodes];
    this.mark = this.pre.textContent;
    this.controls = make("div", {className: "run-controls"});
    this.dated = make("p", {className: "run-note", textContent: "From the code before your last change."});
    this.runButton = button("run", this.wants.length ? "Run elsewhere" : "Run", () => this.run());
    if (this.wants.length) {
      this.runButton.title = `needs ${this.wants.join(" and ")}`;
    } else {
      this.editButton = button("edit", "Edit", () => this.startEditing());
      this.controls.append(this.editButton);
    }
    this.controls.append(this.runButton);  // always at the right end
    box.append(this.controls);
    const edit = kept(key)?.[this.id];
    if (edit && edit.of === this.mark) this.setEdit(edit.source);
    else if (edit) this.offer(edit);
  }

  // An edit of code that the book has changed since: kept, but not put in its place unasked.
  offer(edit) {
    const note = make("p", {className: "run-note"}, "You edited this cell, and the book has changed it since. ",
      button("restore", "Bring back your edit", () => { this.setEdit(edit.source); note.remove(); }), " ",
      button("discard", "Forget it", () => { keepEdit(this.id); note.remove(); }));
    this.box.append(note);
  }

  setEdit(source) {
    this.edit = {source, of: this.mark};
    this.pre.textContent = source;
    this.box.classList.add("edited");
    this.ifEdited ??= make("span", {className: "if-edited"}, make("span", {className: "run-note", textContent: "edited"}), button("undo", "Undo edits", () => this.undo()), button("save", "Save my notebook", () => this.save()));
    this.controls.prepend(this.ifEdited);
    if (!keepEdit(this.id, this.edit)) this.forgetful = true;
    this.date();
  }

  forgetEdit() {
    this.edit = null;
    this.pre.replaceChildren(...this.printed);
    this.box.classList.remove("edited");
    this.ifEdited?.remove();
    keepEdit(this.id);
    this.date();
  }

  undo() {
    this.leaveEditor();
    this.forgetEdit();
    this.runButton.focus();
  }

  leaveEditor() {
    this.editor?.remove();
    this.editor = null;
    this.pre.hidden = false;
    this.editButton.textContent = "Edit";
    this.box.classList.remove("editing");
  }

  // What loads and runs, if it can be had here; if not, the reason is said below the cell.
  async ready() {
    if (this.wants.length) {
      this.say("needs", elsewhere(`This cell needs ${this.wants.join(" and ")}, which this page does not provide.`));
    } else if (location.protocol === "file:") {
      this.say("needs", elsewhere("A page that is opened as a file cannot start Python. In the folder that holds index.html, type python -m http.server, and open http://localhost:8000."));
    } else if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
      this.say("needs", elsewhere("This browser has no WebAssembly, or has it switched off, so Python cannot run in it."));
    } else {
      try {
        const loaded = await import(new URL("run-page.js", root));
        await loaded.load();
        return loaded;
      } catch (error) {
        this.say("error", make("p", {}, `The code of this page could not be loaded (${error.message}). Check that you are online, and try again.`));
      }
    }
  }

  async run() {
    await (await this.ready())?.run(this);
  }

  async save() {
    await (await this.ready())?.save();
  }

  async startEditing() {
    if (this.editor) this.leaveEditor();
    else (await this.ready())?.edit(this);
  }

  // A result stands below the code, or below what the book prints, which then says so.
  show(kind, head, ...content) {
    this.clear();
    head.setAttribute("role", "status");
    this.result = make("div", {id: `run-${this.id}`, className: `run-result run-${kind}`}, head, ...content);
    this.of = this.edit?.source;
    const printed = this.box.nextElementSibling;
    if (!printed?.matches(".cell_output")) return this.box.append(this.result);
    this.label = make("p", {className: "run-label", textContent: "Printed in the book"});
    printed.prepend(this.label);
    printed.after(this.result);
  }

  say(kind, ...content) {
    this.show(kind, make("p", {className: "run-head", textContent: HEADS[kind]}), ...content);
  }

  // A result of other code than stands there now says so.
  date() {
    const old = this.result && this.of !== this.edit?.source;
    this.result?.classList.toggle("dated", Boolean(old));
    if (old) this.result.firstChild.after(this.dated);
    else this.dated.remove();
  }

  clear() {
    this.label?.remove();
    this.result?.remove();
    this.label = this.result = null;
  }
}

const blocks = new Map();
const gone = new Map();  // edits of cells that the page had in an earlier edition of the book
window.runCells = {blocks, gone, elsewhere, LIBRARIES, make, button, kept, keep, root, page, notebook, HEADS};
for (const box of document.querySelectorAll(".runnable")) if (box.querySelector("pre")) blocks.set(box.id.slice("code-".length), new Block(box));
for (const box of document.querySelectorAll(".write-it")) {
  const [block] = [...blocks.values()].filter(({box: code}) => box.contains(code)), {href} = box.querySelector("a");
  const save = button("save-sheet", "Save as a notebook", async () => (await block.ready())?.saveSheet(href));
  box.append(make("p", {className: "run-note"}, save, " with the functions that you wrote here: a sheet to hand in."));
}
for (const [id, edit] of Object.entries(kept(key) ?? {})) if (edit && !blocks.has(id)) gone.set(id, {id, edit});
if (gone.size) {
  const cells = gone.size > 1 ? `${gone.size} cells` : "a cell", note = make("p", {className: "run-note"}, `You edited ${cells} that this page no longer has. `,
    button("save", "Save my notebook", () => [...blocks.values()].find(block => !block.wants.length).save()), " ",
    button("discard", gone.size > 1 ? "Forget them" : "Forget it", () => {
      for (const id of gone.keys()) keepEdit(id);
      gone.clear();
      note.remove();
    }));
  document.querySelector("article h1").after(note);
}
