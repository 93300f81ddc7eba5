"""Make a notebook a page of this site: rendered by mkdocs-jupyter, without its foreign scripts and styles.

Importing and running that takes longer than all the rest of a build, so it is called, not loaded as a
plugin, and only for a notebook that it has not rendered before.
"""

import hashlib
import html
import importlib.metadata
import re
import tempfile
from pathlib import Path

from executed.capture import write

# nbconvert's template brings MathJax and mermaid from a CDN and half a megabyte of JupyterLab's
# style sheet; mkdocs-jupyter has no option to leave them out. In the notebook's own text `<` is
# escaped, so these match the template only.
_SCRIPT_OR_STYLE = re.compile(r"<(script|style)\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)

# The copy button that one of those scripts would have served, and the text that it would copy.
_COPY_BUTTON = re.compile(r'<div class="zeroclipboard-container">.*?</clipboard-copy>\s*</div>', re.DOTALL)
_COPY_TEXT = re.compile(r'<div\b[^>]*\bclipboard-copy-txt\b[^>]*>.*?</div>', re.DOTALL)

# Code and output, in the markup that the theme styles and gives its own copy button.
_CODE = re.compile(r'<div class="\s*highlight-ipynb (?P<lang>[\w-]+)\s*"><pre>(?P<code>.*?)</pre>', re.DOTALL)
_OUTPUT = re.compile(r"<pre>(?!\s*<code)(?P<text>.*?)</pre>", re.DOTALL)


_HEADING = re.compile(r'<h(?P<level>[12]) id="(?P<id>[^"]+)">(?P<name>.*?)(?:<a class="anchor-link".*?)?</h\1>', re.DOTALL)


def notebook_page(text: str, kept: Path) -> str:
    """The HTML of a notebook (JSON); ``kept`` is the file that keeps it for the next build."""
    version = importlib.metadata.version("mkdocs-jupyter")
    wanted = hashlib.sha256(f"{version}\n{Path(__file__).read_text('utf-8')}\n{text}".encode()).hexdigest()
    if kept.is_file():
        made_of, _, page = kept.read_text("utf-8").partition("\n")
        if made_of == wanted:
            return page
    from mkdocs_jupyter import convert

    with tempfile.TemporaryDirectory(prefix="executed-") as folder:
        path = Path(folder, "notebook.ipynb")
        path.write_text(text, encoding="utf-8")
        page = plain_notebook(convert.nb2html(str(path), custom_mathjax_url=""))
    write(kept, f"{wanted}\n{page}")
    return page


def headings(page: str) -> list[dict]:
    """The headings of that page, in the form in which Markdown's ``toc`` extension gives its own."""
    tokens: list[dict] = []
    for match in _HEADING.finditer(page):
        name = html.unescape(re.sub(r"<[^>]+>", "", match["name"]))
        token = {"level": int(match["level"]), "id": match["id"], "name": name, "children": []}
        (tokens[0]["children"] if tokens and token["level"] > 1 else tokens).append(token)
    return tokens


def plain_notebook(html: str) -> str:
    """Strip what a rendered notebook would load or run, and mark its code as the book's pages do."""
    for foreign in (_SCRIPT_OR_STYLE, _COMMENT, _COPY_BUTTON, _COPY_TEXT):
        html = foreign.sub("", html)
    html = _CODE.sub(r'<div class="highlight \g<lang>"><pre><code>\g<code></code></pre>', html)
    return _OUTPUT.sub(r"<pre><code>\g<text></code></pre>", html)
