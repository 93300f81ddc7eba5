"""Running text is what stands in sentences; its places cut exactly that out of the page."""

import html as entities

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed.prose import runs


def found(page: str, kind: str = "text") -> list[str]:
    return [page[run.start : run.end] for run in runs(page) if run.kind == kind and page[run.start : run.end].strip()]


WORDS = st.text(st.sampled_from("ab é\n"), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(st.sampled_from(["p", "li", "em", "h2", "a", "table", "details", "pre", "figcaption"]), WORDS)))
def test_text_is_found_where_it_stands(pieces):
    page = "".join(f'<{tag} title="a > b">{words}</{tag}>' for tag, words in pieces)
    kept = [words for tag, words in pieces if tag in ("p", "li", "em", "figcaption")]
    assert found(page) == kept


@given(WORDS)
def test_code_is_found_whole(words):
    page = f"<p>é\n<code class='x'>{words}</code> &amp; {words}</p>"
    assert found(page, "code") == [f"<code class='x'>{words}</code>"]
    assert "".join(found(page)).replace("\n", " ").split() == f"é {words}".split()


@pytest.mark.parametrize(
    "inside",
    [
        "<a href='x'>{}</a>", "<h3>{}</h3>", "<table><tr><td>{}</td></tr></table>", "<pre><code>{}</code></pre>",
        "<details><summary>s</summary><p>{}</p></details>", "<svg><text>{}</text></svg>", "<label>{}</label>",
        '<span class="arithmatex">\\({}\\)</span>', '<p class="admonition-title">{}</p>', '<span class="b derived">{}</span>',
        '<p class="message">{}</p>', "<script>{}</script>", "<a><em><code>{}</code></em></a>", "<!-- {} -->",
    ],
)  # fmt: skip
def test_what_is_no_running_text(inside):
    page = f"<p>one</p>{inside.format('two')}<p>three</p>"
    assert found(page) == ["one", "three"] and found(page, "code") == []


def test_elements_without_an_end_and_faulty_ends_close_nothing():
    page = "<p>one<br>two<img src=x>three<path d='m'/>four</table></p>five"
    assert found(page) == ["one", "two", "three", "four", "five"]


def test_sections_are_counted_by_headings_of_the_second_level():
    page = "<h1>t</h1>a<h2>t</h2>b<h3>t</h3>c<h2>t</h2>d"
    assert [(page[run.start : run.end], run.section) for run in runs(page)] == [("a", 0), ("b", 1), ("c", 1), ("d", 2)]


def test_entities_stand_between_runs():
    assert found(f"<p>a{entities.escape('<')}b</p>") == ["a", "b"]
