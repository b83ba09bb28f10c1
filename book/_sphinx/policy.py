"""The Content-Security-Policy of pages and slides: what they may load and run. It stands here alone: pages have it as a <meta>, and
the build writes it as a header for hosts that send one (`_headers`, and the lines on *Publish your own copy*)."""

import re
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

DIRECTIVES = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # Python in the page is WebAssembly
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",  # whom pages may ask: the address of another host goes here
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
ONLY_IN_A_HEADER = {"frame-ancestors": "'self'"}  # the view of a speaker shows slides in frames
PLACE = "[[the policy]]"  # in the source of a page


def rules(config, **more):
    """The policy as a line; where pages load Python from another host, with that host."""
    host = other_host(config.page_python_distribution)
    asks = ("script-src", "connect-src")
    return "; ".join(f"{name} {sources}{host * (name in asks)}" for name, sources in (DIRECTIVES | more).items())


def other_host(address):
    place = urlsplit(address)
    return f" {place.scheme}://{place.netloc}" if place.netloc else ""


def header(config):
    """The policy as a header, the only one that a worker obeys: Python in the page may fetch what a reader has agreed to."""
    offer = other_host(config.page_python_offer) if not config.page_python_distribution else ""
    return rules(config, **ONLY_IN_A_HEADER, **{"connect-src": DIRECTIVES["connect-src"] + offer})


def with_policy(config, html):
    """A page with the policy at the head of its head, before all that it rules."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(rules(config))}">'
    return re.sub('<head>(<meta http-equiv="Content-Security-Policy"[^>]*>)?', f"<head>{meta}", html, count=1)


def fill_in(app, page, source):
    source[0] = source[0].replace(PLACE, header(app.config))


def write(app):
    """Put the policy into all pages, and write the file from which some hosts take their headers."""
    out = Path(app.outdir)
    for path in out.rglob("*.html"):
        path.write_text(with_policy(app.config, path.read_text(encoding="utf-8")), encoding="utf-8")
    (out / "_headers").write_text(f"/*\n  Content-Security-Policy: {header(app.config)}\n", encoding="utf-8")
