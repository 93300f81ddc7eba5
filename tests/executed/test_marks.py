"""In running text a name of the API links to the section that teaches it, once a section and not in that one."""

import pytest

from executed.context import Context
from executed.marks import mark

ONE = '# 1. One\n\n## 1.1 A\n\n`tl.load`\n\n```python\n--8<-- "ch01/a.py"\n```\n\n## 1.2 B\n'


@pytest.fixture
def context(repo) -> Context:
    repository = repo(
        {
            "snippets/ch01/a.py": "import triton.language as tl\ntl.load\ntl.store\n",
            "docs/01-one.md": ONE,
            "docs/glossary.md": "# G\n\n## block {#term-block}\n\nMany. [x](01-one.md)\n",
        }
    )
    return Context(repository, {}, lambda path: f"../{path}", ((1, "One", "01-one.md"),))


LINK = '<a class="term" href="../01-one.md#11-a" title="tl.{0}: 1.1 A"><code>{1}</code></a>'


@pytest.mark.parametrize(
    "page, shown",
    [
        ("<code>tl.load</code>", LINK.format("load", "tl.load")),
        ("<code>@tl.load(x, mask=m)</code>", LINK.format("load", "@tl.load(x, mask=m)")),
        ("<code>tl.load</code> <code>tl.load</code>", LINK.format("load", "tl.load") + " <code>tl.load</code>"),
        ("<code>tl.load</code> <code>tl.store</code>", LINK.format("load", "tl.load") + " " + LINK.format("store", "tl.store")),
        ("<code>tl.gone</code>", None),
        ("<code>x = tl.load</code>", None),
        ("<code>tl.load(a) + 1</code>", None),
        ("<code>tl.loads</code>", None),
        ("tl.load", None),
        ("<pre><code>tl.load</code></pre>", None),
        ("<a href='x'><code>tl.load</code></a>", None),
    ],
)
def test_the_first_use_in_a_section_is_linked(context, page, shown):
    assert mark(f"<h2>t</h2>{page}", "02-two.md", context) == f"<h2>t</h2>{shown or page}"


def test_not_in_the_section_that_teaches_it_nor_above_the_first(context):
    page = "<p><code>tl.load</code></p><h2>1.1</h2><h3>x</h3><code>tl.load</code><h2>1.2</h2>"
    assert mark(page, "01-one.md", context) == page
    assert mark(f"{page}<code>tl.load</code>", "01-one.md", context) == page + LINK.format("load", "tl.load")
    assert LINK.format("load", "tl.load") in mark(page, "02-two.md", context)


def test_terms_and_names_are_marked_together(context):
    html = mark("<h2>t</h2><p>a block of <code>tl.load</code></p>", "02-two.md", context)
    assert html == (
        '<h2>t</h2><p>a <a class="term" href="../glossary.md#term-block" title="Many.">block</a> of '
        f"{LINK.format('load', 'tl.load')}</p>"
    )


def test_a_book_without_a_glossary_marks_names_alone(context):
    (context.repository.docs / "glossary.md").unlink()
    html = mark("<h2>t</h2><p>a block of <code>tl.load</code></p>", "02-two.md", context)
    assert html == f"<h2>t</h2><p>a block of {LINK.format('load', 'tl.load')}</p>"
