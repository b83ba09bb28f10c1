"""How tests open a page of the built book in a real browser, and what they note meanwhile."""

import re
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

from axe_playwright_python.sync_playwright import Axe

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    window.shifts.push([entry.value, entry.sources.map(s => s.node?.textContent?.trim().slice(0, 40))]);
}).observe({type: "layout-shift", buffered: true});
"""


class Handler(SimpleHTTPRequestHandler):
    """A server that says nothing, and sends a page in two parts if it has to wait between them: what jumps when the rest arrives is seen.

    It sends the headers that the book has for hosts which send some: workers obey the policy only there.
    """

    def __init__(self, *given, wait, directory, **more):
        self.wait, headers = wait, Path(directory, "_headers")
        self.sent = re.findall(r"(?m)^  (.*?): (.*)$", headers.read_text(encoding="utf-8")) if headers.exists() else []
        super().__init__(*given, directory=directory, **more)

    def log_message(self, *_):
        pass

    def end_headers(self):
        for name, value in [("Access-Control-Allow-Origin", "*"), *self.sent]:
            self.send_header(name, value)
        super().end_headers()

    def copyfile(self, source, outputfile):
        start, title, rest = source.read().partition(b"</h1>")
        outputfile.write(start)
        sleep(self.wait if title else 0)
        outputfile.write(title + rest)


@contextmanager
def serving(folder, wait=0):
    """Serve a folder on a free port of this machine, and give the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder, wait=wait))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def until(page, expression, arg=None, seconds=30):
    """Wait until an expression is true. Playwright's own way evaluates it in the page, where the policy forbids that from the second time on."""
    end = monotonic() + seconds
    while not page.evaluate(expression, arg):
        assert monotonic() < end, f"not true within {seconds} s: {expression}"
        page.wait_for_timeout(50)


@contextmanager
def visiting(browser, address, patience=30_000):
    """A function that opens a page, in which the script `first` runs before its own, and whose `responses` are kept; in the end nothing has
    failed, nothing was against the policy of the pages (the console says so), and nothing was asked of another host.

    patience: how many milliseconds a page waits for what a test expects of it.
    """
    contexts, troubles = [], []

    def visit(path, width=1280, scheme="light", first=WATCH_SHIFTS, **settings):
        contexts.append(browser.new_context(**{"viewport": {"width": width, "height": 900}, "color_scheme": scheme, "service_workers": "block"} | settings))
        no_scripts = ["csp"] * (not settings.get("java_script_enabled", True))  # the browser calls it so
        page = contexts[-1].new_page()
        page.set_default_timeout(patience)
        page.responses = []
        page.on("response", lambda response: (page.responses.append(response), note(response)))
        page.on("requestfailed", lambda request: request.failure in ("net::ERR_ABORTED", *no_scripts) or troubles.append(f"{request.url}: {request.failure}"))
        page.on("pageerror", lambda error: troubles.append(str(error)))  # aborted is an icon when the page is left
        page.on("console", lambda said: said.type in ("error", "warning") and "Worker registration blocked" not in said.text and troubles.append(said.text))
        page.add_init_script(first)
        page.goto(address + path)
        return page

    def note(response):
        if response.status >= 400 or not response.url.startswith((address, "data:", "blob:")):
            troubles.append(f"{response.status}: {response.url}")

    yield visit
    for context in contexts:
        context.close()
    assert troubles == [], troubles


def open_folds(page, which="details"):
    """Open every fold of a page, or those of a selector; plumbing shows."""
    page.evaluate("document.documentElement.dataset.code = 'on'")
    page.evaluate("which => document.querySelectorAll(which).forEach(fold => { fold.open = true })", which)


# Of parts that differ in their words, addresses and names alone and stand in the same surroundings, axe finds the same of all: one is left.
# Of a formula and of code it needs the words, of a picture the texts. So it takes a third of the time.
THIN_OUT = r"""() => {
  for (const part of document.querySelectorAll("svg :is(use, path)")) part.remove();
  for (const part of document.querySelectorAll(".formula, pre span")) part.replaceWith(part.matches("pre *") ? part.textContent : "x");
  const many = new Map(), any = /^(id|href|for|title|name|value|data-.*|aria-(labelledby|describedby|controls))$/, given = /^(alt|aria-label)$/;
  const own = e => e.tagName + [...e.attributes].map(({name, value}) => name + (any.test(name) ? "" : given.test(name) ? !!value.trim() : value)).sort();
  const inside = e => own(e) + "<" + [...new Set([...e.childNodes].map(each => each.nodeType === 1 ? inside(each) : each.data?.trim() ? "words" : ""))] + ">";
  const around = e => e.closest("article") ? own(e) + around(e.parentElement) : "";
  for (const part of [...document.querySelectorAll("article :is(tr, li, p, pre, details, figure, .cell, .admonition)")].reverse()) {
    const kind = inside(part) + around(part.parentElement);
    many.set(kind, (many.get(kind) ?? 0) + 1);
    if (many.get(kind) > 1) part.remove();
  }
}"""


def violations(page):
    """What axe finds on a page, but for what is minor, as lines."""
    changing = "document.getAnimations().filter(each => each instanceof CSSTransition)"  # colours on their way
    page.evaluate(f"Promise.all({changing}.map(each => each.finished.catch(() => 0)))")
    found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found if each["impact"] != "minor" for node in each["nodes"]]
