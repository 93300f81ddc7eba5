"""What a program printed is shown as it was printed; what is not fresh is shown as just that."""

import html
from html.parser import HTMLParser

import markdown
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from executed.context import Context
from executed.render import expand, fill

PINS = {"torch": "2.13.0"}
ONE = '# /// capture\n# runners = ["interpreter"]\n# ///\nprint()\n'
BOTH = '# /// capture\n# runners = ["interpreter", "gpu"]\n# ///\nprint()\n'
EXTENSIONS = [
    "tables",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    "toc",
    "pymdownx.superfences",
    "pymdownx.snippets",
    "pymdownx.inlinehilite",
    "pymdownx.tabbed",
    "pymdownx.details",
    "pymdownx.arithmatex",
    "pymdownx.smartsymbols",
    "pymdownx.betterem",
    "pymdownx.tilde",
    "pymdownx.mark",
    "pymdownx.magiclink",
]
HOSTILE = {
    "HTML": "<b>bold</b> <script>alert(1)</script> </code></pre></div> <!-- -->",
    "entities": "&amp; &lt; &#x3c; & < > \"q\" 'q'",
    "Markdown": "# h *em* __strong__ `code` [link](x) ![i](x) ~~s~~ ==m== ^u^",
    "symbols": "<https://x.y> https://x.y me@x.y :+1: (c) +/- --> 1/2 ...",
    "list": "- a",
    "number": "1. a",
    "quote": "> a",
    "table": "a | b | c",
    "rule": "---",
    "attributes": "a {: #id .class } {#id}",
    "footnote": "[^1] and [^1]: x",
    "abbreviation": "*[HTML]: x",
    "mathematics": "$x$ $$y$$ \\(z\\) \\[w\\]",
    "fence": "```` ``` ` ~~~",
    "call": '{{ outputs("ch01/a") }} {{ x }} {% raw %}',
    "include": '--8<-- "ch01/a.py" ;--8<-- "x" -8<-',
    "backslashes": "\\* \\\\ \\d \\1 \\g<0>",
    "placeholder": "wzxhzdk:0 \\x02wzxhzdk:0\\x03 klzzwxh:0001",
    "Unicode": "é 漢 😀 ﬁ",
}
WITH_TOKENS = [
    *(pytest.param(text, id=name) for name, text in HOSTILE.items()),
    pytest.param("executed-block-0- executed-block-1- executed-block-2-", id="token"),
]


class _Texts(HTMLParser):
    """Collects the text inside each element of a tag or of a class."""

    def __init__(self, page: str):
        super().__init__()
        self.open: list[tuple[str, str, list[str]]] = []
        self.closed: list[tuple[str, str, str]] = []
        self.inside: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag in ("input", "br", "hr", "img"):
            return
        self.inside += [(tag, parent) for parent, _, _ in self.open[-1:]]
        self.open.append((tag, dict(attributes).get("class") or "", []))

    def handle_data(self, data):
        for _, _, texts in self.open:
            texts.append(data)

    def handle_endtag(self, tag):
        name, kind, texts = self.open.pop()
        assert name == tag, f"<{name}> is closed by </{tag}>"
        self.closed.append((name, kind, "".join(texts)))

    def of(self, wanted: str) -> list[str]:
        return [text for tag, kind, text in self.closed if wanted in (tag, *kind.split())]


def context(repository) -> Context:
    return Context(repository, PINS, lambda path: f"../{path}")


def published(repository, page: str) -> tuple[_Texts, tuple[str, ...], str]:
    """A page as the site shows it, its problems, and its HTML."""
    expanded = expand(page, context(repository))
    base = {"pymdownx.snippets": {"base_path": [str(repository.folder)], "check_paths": True}}
    body = fill(
        markdown.markdown(expanded.text, extensions=EXTENSIONS, extension_configs=base), expanded.blocks
    )
    return _Texts(body), expanded.problems, body


@pytest.mark.parametrize("text", WITH_TOKENS)
@pytest.mark.parametrize("ends", ["\n", "", "\n\n"])
def test_an_output_stays_text(repo, put, text, ends):
    repository = repo({"snippets/ch01/a.py": ONE, "snippets/ch01/b.py": ONE})
    put(repository, "ch01/a", text=text + ends)
    put(repository, "ch01/b", text=f"<i>\n{text}\n")
    page, problems, _ = published(
        repository, '# Head\n\n{{ outputs("ch01/a") }}\n\n{{ outputs("ch01/b") }}\n\nend\n'
    )
    assert problems == ()
    assert page.of("evidence__output") == [text + ends, f"<i>\n{text}\n"]
    assert page.of("h1") == ["Head"]
    assert page.of("p") == ["end"]


@pytest.mark.parametrize("text", WITH_TOKENS)
@pytest.mark.parametrize(
    "around", ["{}", "It is {} there.", "- {}", "| a |\n|---|\n| {} |", "**{}**", "## {}"]
)
def test_a_value_stays_text(repo, put, text, around):
    repository = repo({"snippets/ch01/a.py": ONE, "snippets/ch01/b.py": ONE})
    put(repository, "ch01/a", text=f"a: {text}\n")
    put(repository, "ch01/b", text="x\n")
    call = '{{ value("ch01/a", "a") }}'
    page, problems, _ = published(
        repository, f'{around.replace("{}", call)}\n\n{{{{ outputs("ch01/b") }}}}\n'
    )
    assert problems == ()
    assert page.of("value") == [text]
    assert page.of("evidence__output") == ["x\n"]
    assert page.of("script") == page.of("em") == page.of("b") == []


def test_a_value_in_mathematics_stays_text(repo, put):
    repository = repo({"snippets/ch01/a.py": ONE})
    put(repository, "ch01/a", text="a: 1$ <script>x</script> $\n")
    page, problems, _ = published(repository, 'So $x = {{ value("ch01/a", "a") }}$.\n')
    assert problems or page.of("script") == []


@given(
    st.text(
        st.characters(exclude_characters="\r", exclude_categories=["Cs", "Cc"], include_characters="\n\t"),
        max_size=60,
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_any_output_stays_text(repo, put, text):
    repository = repo({"snippets/ch01/a.py": ONE})
    put(repository, "ch01/a", text=text)
    expanded = expand('{{ outputs("ch01/a") }}', context(repository))
    (block,) = expanded.blocks.values()
    assert f"<pre><samp>{html.escape(text, quote=False)}</samp></pre>" in block
    assert expanded.text.strip() in expanded.blocks


def test_words_of_a_listing_that_no_rule_colours_are_its_text():
    listing = '<code><span class="n">a</span><span class="w"> </span><span class="o">=</span> <span class="mi">1</span></code>'
    assert fill(listing, {}) == '<code>a = <span class="mi">1</span></code>'


@pytest.mark.parametrize(
    "page",
    [
        pytest.param('`executed-block-0-`\n\n{{ outputs("ch01/a") }}\n', id="above"),
        pytest.param('executed-block-0-\n\n{{ outputs("ch01/a") }}\n', id="alone"),
    ],
)
def test_a_page_may_name_the_tokens(repo, put, page):
    repository = repo({"snippets/ch01/a.py": ONE})
    put(repository, "ch01/a", text="x\n")
    shown, _, body = published(repository, page)
    assert body.index("executed-block-0-") < body.index("<pre>")
    assert shown.of("evidence__output") == ["x\n"]


def test_two_renders_in_one_process_are_equal(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH})
    put(repository, "ch01/a", text="a: 1\n")
    put(repository, "ch01/a", "gpu", text="a: 2\n")
    page = '{{ outputs("ch01/a") }}\n\n{{ value("ch01/a", "a") }} {{ nope() }}\n\n{{ outputs("ch01/a") }}\n'
    first, again = expand(page, context(repository)), expand(page, context(repository))
    assert (first.text, first.blocks, first.problems) == (again.text, again.blocks, again.problems)


def test_ids_on_a_page_are_its_own(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH})
    put(repository, "ch01/a", text="a: 1\n")
    put(repository, "ch01/a", "gpu", text="a: 2\n")
    _, _, body = published(repository, '{{ outputs("ch01/a") }}\n\n{{ outputs("ch01/a") }}\n')
    ids = [piece.split('"')[0] for piece in body.split(' id="')[1:]]
    assert len(ids) == len(set(ids)) == 2


def test_runners_that_printed_the_same_share_one_block(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH})
    put(repository, "ch01/a", text="a: 1\n")
    put(repository, "ch01/a", "gpu", text="a: 1\n")
    page, problems, _ = published(repository, '{{ outputs("ch01/a") }}\n')
    assert problems == ()
    assert page.of("evidence__output") == ["a: 1\n"]
    assert page.of("evidence__agree") == ["✓ Interpreter and H200 print the same"]
    assert page.of("evidence__runner") == ["Interpreter", "H200"] and len(page.of("evidence__panel")) == 1
    assert len(page.of("evidence__foot")) == 2


def test_runners_that_printed_different_things_have_a_panel_each(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH})
    put(repository, "ch01/a", text="a: 1\n")
    put(repository, "ch01/a", "gpu", text="a: 2\n")
    page, problems, _ = published(repository, '{{ outputs("ch01/a") }}\n')
    assert problems == ()
    assert page.of("evidence__output") == ["a: 1\n", "a: 2\n"]
    assert page.of("evidence__head") == ["Interpreter", "H200"]
    assert page.of("evidence__agree") == ["≠ Interpreter and H200 differ where marked"]


def test_a_named_runner_and_section_are_all_that_is_shown(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH})
    put(repository, "ch01/a", text="== one ==\na: 1\n== two ==\na: 2\n")
    put(repository, "ch01/a", "gpu", text="== one ==\na: 3\n== two ==\na: 2\n")
    page, _, _ = published(
        repository,
        '{{ outputs("ch01/a", section="one", runner="gpu") }}\n\n{{ outputs("ch01/a", section="two") }}\n\n'
        '{{ value("ch01/a", "a", section="one", runner="gpu", format=".1f") }}\n',
    )
    assert page.of("evidence__output") == ["a: 3\n", "a: 2\n"]
    assert page.of("value") == ["3.0"]


def test_a_foot_says_what_it_ran_on_and_how_to_repeat_it(repo, put):
    repository = repo({"snippets/ch01/a.py": ONE})
    put(repository, "ch01/a", text="x\n", device="CPU <1>")
    page, _, body = published(repository, '{{ outputs("ch01/a") }}\n')
    (foot,) = page.of("evidence__foot")
    for fact in ("CPU <1>", "python 3.11", "torch 2.13.0", "exit 0", "TRITON_INTERPRET=1 python a.py"):
        assert fact in foot
    assert 'href="../programs/ch01/a.py"' in body


def test_no_output_passes_for_that_of_a_runner_that_has_none(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH})
    put(repository, "ch01/a", text="only gpu")
    page, problems, _ = published(repository, '{{ outputs("ch01/a") }}\n')
    assert len(problems) == 1
    assert page.of("evidence__agree") == []


def test_a_block_inside_a_paragraph_is_told_or_set_apart(repo, put):
    repository = repo({"snippets/ch01/a.py": ONE})
    put(repository, "ch01/a", text="x\n")
    page, problems, _ = published(repository, 'above\n{{ outputs("ch01/a") }}\nbelow\n')
    assert problems or ("div", "p") not in page.inside


STATES = [
    pytest.param(None, "is missing: it was never captured", id="missing"),
    pytest.param({"source": "sha256:0"}, "is stale", id="stale"),
    pytest.param({"snippet": "ch01/b"}, "is edited", id="edited"),
    pytest.param({"versions": "python 3.11, torch 2.12.0"}, "is outdated", id="outdated"),
    pytest.param({"exit": "1"}, "is failed", id="failed"),
]


@pytest.mark.parametrize(("fields", "said"), STATES)
@pytest.mark.parametrize("call", ['outputs("ch01/a")', 'value("ch01/a", "a")'])
def test_what_is_not_fresh_is_a_problem_on_its_line(repo, put, fields, said, call):
    repository = repo({"snippets/ch01/a.py": ONE})
    if fields is not None:
        put(repository, "ch01/a", text="a: 1\n", **fields)
    (problem,) = expand(f"text\n\n{{{{ {call} }}}}\n", context(repository), first_line=11).problems
    assert problem.startswith("13: ch01/a (interpreter) ")
    assert said in problem
    assert "scripts/build" in problem


@pytest.mark.parametrize(("fields", "said"), STATES)
def test_what_is_not_fresh_wears_a_badge(repo, put, fields, said):
    repository = repo({"snippets/ch01/a.py": ONE})
    if fields is not None:
        put(repository, "ch01/a", text="a: 1\n", **fields)
    page, _, _ = published(repository, '{{ outputs("ch01/a") }}\n')
    (badge,) = page.of("evidence__badge")
    assert f"ch01/a (interpreter) {said}" in badge


@pytest.mark.parametrize("runner", ["interpreter", "gpu"])
@pytest.mark.parametrize(("fields", "said"), STATES[:3])
def test_a_runner_that_printed_the_same_does_not_hide_it(repo, put, fields, said, runner):
    repository = repo({"snippets/ch01/a.py": BOTH})
    for each in ("interpreter", "gpu"):
        if each != runner:
            put(repository, "ch01/a", each, text="a: 1\n")
        elif fields is not None:
            put(repository, "ch01/a", each, text="a: 1\n", **fields)
    page, problems, _ = published(repository, '{{ outputs("ch01/a") }}\n')
    (badge,) = page.of("evidence__badge")
    assert f"ch01/a ({runner}) {said}" in badge
    assert len(problems) == 1


def test_an_edit_by_hand_wears_a_badge(repo, put):
    repository = repo({"snippets/ch01/a.py": ONE})
    put(repository, "ch01/a", text="a: 1\n")
    path = repository.snippets["ch01/a"].capture_path("interpreter")
    path.write_text(path.read_text().replace("a: 1", "a: 2"))
    page, problems, _ = published(repository, '{{ outputs("ch01/a") }}\n')
    assert "edited by hand" in page.of("evidence__badge")[0]
    assert "edited by hand" in problems[0]


@pytest.mark.parametrize(
    "call",
    [
        'outputs("ch01/b")',
        'outputs("ch01/a", section="x")',
        'outputs("ch01/a", runner="gpu")',
        'value("ch01/a", "b")',
    ],
)
def test_a_call_that_does_not_resolve_is_a_badge_and_a_problem_on_its_line(repo, put, call):
    repository = repo({"snippets/ch01/a.py": ONE})
    put(repository, "ch01/a", text="a: 1\n")
    page, problems, _ = published(repository, f"text\n\n{{{{ {call} }}}}\n")
    assert [problem.split(":")[0] for problem in problems] == ["3"]
    assert len(page.of("evidence__badge")) == 1


def test_what_is_no_call_is_a_problem_and_stays_on_the_page(repo):
    repository = repo({})
    expanded = expand("a\n{{ nope() }}\n", context(repository), first_line=5)
    assert expanded.text == "a\n{{ nope() }}\n"
    assert [problem.split(":")[0] for problem in expanded.problems] == ["6"]


@pytest.mark.parametrize("page", ["", "text\n", "```\n{{ x }}\n```\n", "`{{ x }}` & <b>\n"])
def test_a_page_without_calls_is_left_as_it_is(repo, page):
    expanded = expand(page, context(repo({})))
    assert (expanded.text, expanded.blocks, expanded.problems) == (page, {}, ())
    assert fill(page, {}) == page


def test_the_lists_of_kernels_and_names_are_blocks(repo):
    code = "import triton\n@triton.jit\ndef k(): ...\n"
    repository = repo({"snippets/ch01/a.py": code, "docs/01-one.md": '# 1\n\n```python\n--8<-- "ch01/a.py"\n```\n'})
    expanded = expand("{{ kernels() }}\n\n{{ api() }}\n", Context(repository, PINS, str, ((1, "One", "01-one.md"),)))
    assert expanded.problems == ()
    kernels, names = expanded.blocks.values()
    assert "<code>k</code>" in kernels and "<code>triton.jit</code>" in names
