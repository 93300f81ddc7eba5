"""Formulas become MathML while the site builds; one that can't stops the build by name."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import markdown
import pytest

from executed import mathml
from executed.mathml import MathError, to_mathml

MATHML = "{http://www.w3.org/1998/Math/MathML}"


def render(text: str) -> str:
    """Markdown to HTML with the extension and the option that mkdocs.yml uses."""
    options = {"pymdownx.arithmatex": {"generic": True}}
    return to_mathml(markdown.markdown(text, extensions=list(options), extension_configs=options))


def formula(html: str) -> ElementTree.Element:
    """The only ``<math>`` of a page, parsed: it has to be well-formed."""
    start, end = html.index("<math"), html.index("</math>") + len("</math>")
    assert html.count("<math") == 1
    return ElementTree.fromstring(html[start:end])


def test_inline_formula():
    html = render(r"The result is $\frac{x}{2}$ here.")
    assert html.startswith('<p>The result is <span class="arithmatex"><math')
    assert html.endswith("</math></span> here.</p>")
    assert formula(html).get("display") == "inline"
    assert formula(html).find(f".//{MATHML}mfrac") is not None


def test_display_formula():
    html = render("$$\n\\operatorname{erf}\\frac{x}{\\sqrt{2}}\n$$")
    assert html.startswith('<div class="arithmatex"><math')
    assert formula(html).get("display") == "block"
    assert formula(html).find(f".//{MATHML}msqrt") is not None


def test_characters_that_html_escapes():
    math = formula(render(r"$a < b$"))
    assert [node.text for node in math.iter(f"{MATHML}mo")] == ["<"]


def test_many_formulas_in_one_paragraph():
    html = render(r"$a$ and $b$, then \(c\).")
    assert html.count("<math") == 3
    assert r"\(" not in html


def test_aligned_rows():
    html = render("$$\n\\begin{align*} a &= b \\\\ c &= d \\end{align*}\n$$")
    assert len(formula(html).findall(f".//{MATHML}mtr")) == 2


def test_html_without_mathematics_is_returned_as_it_is():
    html = r"<p>Costs $5, and \(not maths\).</p>"
    assert to_mathml(html) is html


def test_code_that_shows_the_markup_is_left_alone():
    html = r'<code>&lt;span class="arithmatex"&gt;\(x\)&lt;/span&gt;</code>'
    assert to_mathml(html) == html


@pytest.mark.parametrize(
    ("latex", "named"),
    [
        ("x^{", "x^{"),
        (r"\left( x", r"\left( x"),
        (r"\unheard x", r"\unheard"),
        (r"\begin{aligned} a &= b \end{aligned}", "&"),
        ("x }", "}"),
    ],
)
@pytest.mark.parametrize("wrapper", [r'<span class="arithmatex">\({}\)</span>', '<div class="arithmatex">\\[\n{}\n\\]</div>'])
def test_an_error_quotes_the_formula(wrapper, latex, named):
    escaped = latex.replace("&", "&amp;")
    with pytest.raises(MathError) as error:
        to_mathml(wrapper.replace("{}", escaped))
    assert f"`{latex}`" in str(error.value)
    assert named in str(error.value)


def test_a_page_without_mathematics_does_not_import_the_library():
    program = (
        "import sys; from executed.mathml import to_mathml; to_mathml('<p>text</p>'); "
        "sys.exit('latex2mathml' in sys.modules)"
    )
    scripts = Path(mathml.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", program], cwd=scripts, check=False).returncode == 0
