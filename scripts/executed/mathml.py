"""Turn the LaTeX of a rendered page into MathML, so that no browser needs a script for it."""

import html as entities
import re

# What pymdownx.arithmatex writes with ``generic: true``.
_INLINE = re.compile(r'<span class="arithmatex">\\\((?P<latex>.*?)\\\)</span>', re.DOTALL)
_BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(?P<latex>.*?)\\\]\s*</div>', re.DOTALL)

# latex2mathml passes on what it doesn't know as if it were a symbol.
_LEFTOVER = re.compile(r"<m[ion][^>]*>(\\[A-Za-z]+\*?|[&{}])</m[ion]>")


class MathError(Exception):
    """A formula that can't become MathML; the message quotes it."""


def to_mathml(html: str) -> str:
    """Replace each arithmatex formula in a page's HTML by MathML.

    The ``arithmatex`` element stays as a wrapper, for the style sheet. HTML without a
    formula comes back as it was, and latex2mathml is not imported. Raises ``MathError``.
    """
    if 'class="arithmatex"' not in html:
        return html
    html = _INLINE.sub(lambda m: f'<span class="arithmatex">{_mathml(m["latex"], "inline")}</span>', html)
    return _BLOCK.sub(lambda m: f'<div class="arithmatex">{_mathml(m["latex"], "block")}</div>', html)


def _mathml(escaped: str, display: str) -> str:
    from latex2mathml.converter import convert

    latex = entities.unescape(escaped).strip()
    try:
        mathml = convert(latex, display=display)
    except Exception as error:  # the library's errors have no base class, and some are bare IndexErrors
        reason = str(error) or type(error).__name__
        raise MathError(f"no MathML for the formula `{latex}`: {reason}") from error
    if leftover := _LEFTOVER.search(mathml):
        raise MathError(f"no MathML for the formula `{latex}`: latex2mathml does not know `{leftover[1]}`")
    return mathml
