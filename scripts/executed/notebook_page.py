"""Make a notebook that mkdocs-jupyter rendered into a page of this site: no foreign scripts or styles."""

import re

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


def plain_notebook(html: str) -> str:
    """Strip what a rendered notebook would load or run, and mark its code as the book's pages do."""
    for foreign in (_SCRIPT_OR_STYLE, _COMMENT, _COPY_BUTTON, _COPY_TEXT):
        html = foreign.sub("", html)
    html = _CODE.sub(r'<div class="highlight \g<lang>"><pre><code>\g<code></code></pre>', html)
    return _OUTPUT.sub(r"<pre><code>\g<text></code></pre>", html)
