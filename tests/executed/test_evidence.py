"""A block shows which runner printed what, and every link to a line leads to that line."""

import html
import re

import pytest

from executed.context import Context
from executed.render import expand

BOTH = '# /// capture\n# runners = ["interpreter", "gpu"]\n{}# ///\nprint()\n'
KERNEL = """\
# /// capture
{}# ///
import triton


@triton.jit
def k(x, X: int):
    y = x < 1
    return y


k[(1,)](1, X=2)
"""
FACTS = """\
== k(X=2) ==
launch: x *fp32 divisible by 16, num_warps=4
sm_80: shared 0 B, registers 10, loads 2 x 128 bit
sm_90: shared 0 B, registers 18, loads 4 x 32 bit
gfx942: rejected
    CompilationError: at 3:4: <b>x</b> & y
ptx for sm_90:
   3| setp.lt.f32 %p1, %r1, <1>;
   4| ret;
   3| add & sub;
"""


def shown(repository, page: str, pins=None) -> tuple[str, tuple[str, ...]]:
    expanded = expand(page, Context(repository, pins or {"torch": "2.13.0"}, lambda path: f"../{path}"))
    text = expanded.text
    for token, block in expanded.blocks.items():
        text = text.replace(token, block)
    return text, expanded.problems


def ids(text: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', text)


@pytest.mark.parametrize("second", ["n: 2\n", "head\nn: 1\nm: 4\n"])
@pytest.mark.parametrize("outputs", ['outputs("ch01/a")', 'outputs("ch01/a", runner="{}")'])
@pytest.mark.parametrize("runner", ["interpreter", "gpu"])
def test_a_value_links_to_the_line_that_prints_it(repo, put, second, outputs, runner):
    repository = repo({"snippets/ch01/a.py": BOTH.format("")})
    texts = {"interpreter": "head\nn: 1\nm: 4\n", "gpu": second}
    for name, text in texts.items():
        put(repository, "ch01/a", name, text=text)
    block = "{{ " + outputs.format(runner) + " }}\n"
    call = f'{{{{ value("ch01/a", "n", runner="{runner}") }}}}'
    page, problems = shown(repository, f"{call}\n\n{block}\n{block}\n{call} and {call}\n")
    assert problems == ()
    links = re.findall(r'href="#([^"]*)"', page)
    assert len(links) == 3
    for link in links:
        assert ids(page).count(link) == 1
        line = re.search(rf'<span id="{re.escape(link)}">(.*?)</span>', page)[1]
        line = re.sub("</?mark[^>]*>", "", line)
        assert f"{line}\n" in texts[runner] and line.startswith("n:")
    assert len(ids(page)) == len(set(ids(page)))


def test_a_value_links_to_its_own_section(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH.format("")})
    for runner in ("interpreter", "gpu"):
        put(repository, "ch01/a", runner, text="== one ==\nn: 1\n== two ==\nn: 2\n")
    page, problems = shown(
        repository,
        '{{ value("ch01/a", "n", section="two") }} '
        '{{ claim("w", "[one | n] < [two | n]", snippet="ch01/a") }}\n\n'
        '{{ outputs("ch01/a", section="two") }}\n\n{{ outputs("ch01/a") }}\n',
    )
    assert problems == ()
    for link in re.findall(r'href="#([^"]*)"', page):
        assert ids(page).count(link) == 1
    assert re.findall(r'<span id="[^"]*">([^<]*)</span>', page) == ["n: 2", "n: 1"]


def test_a_value_without_its_block_links_to_the_ledger(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH.format(""), "snippets/ch01/b.py": BOTH.format("")})
    for name in ("ch01/a", "ch01/b"):
        put(repository, name, text="n: 1\n")
        put(repository, name, "gpu", text="n: 1\n")
    page, _ = shown(repository, '{{ value("ch01/a", "n", runner="gpu") }}\n\n{{ outputs("ch01/b") }}\n')
    assert 'href="../ledger.md#ch01/a-gpu"' in page


def marked(page: str) -> list[str]:
    """The outputs of a page, what is marked in them between brackets."""
    outputs = re.findall(r'class="evidence__output"><pre><samp>(.*?)</samp>', page, re.DOTALL)
    return [html.unescape(re.sub("<mark[^>]*>", "⟦", text).replace("</mark>", "⟧")) for text in outputs]


def test_runners_that_differ_have_a_panel_each_and_what_differs_is_marked(repo, put):
    reason = "NaN <b> & 'so'"
    repository = repo({"snippets/ch01/a.py": BOTH.format(f'# differs = "{reason}"\n')})
    put(repository, "ch01/a", text="n: 1\nx: <0.12345678>\n")
    put(repository, "ch01/a", "gpu", text="n: 2\nx: <0.12345679>\n")
    page, problems = shown(repository, '{{ outputs("ch01/a") }}\n\n{{ outputs("ch01/a") }}\n')
    assert problems == ()
    assert page.count(f'<div class="evidence__why">{html.escape(reason)}</div>') == 2
    heads = re.findall(r'<span class="evidence__runner" data-runner="(\w+)">([^<]*)</span>', page)
    assert heads == [("interpreter", "Interpreter"), ("gpu", "H200")] * 2
    assert marked(page) == ["n: ⟦1⟧\nx: <0.12345678>\n", "n: ⟦2⟧\nx: <0.12345679>\n"] * 2
    assert "Interpreter and H200 differ where marked" in page
    one, _ = shown(repository, '{{ outputs("ch01/a", runner="gpu") }}\n')
    assert "evidence--several" not in one and "evidence__why" not in one and "evidence__agree" not in one
    assert marked(one) == ["n: 2\nx: <0.12345679>\n"]


def test_a_section_that_agrees_does_not_say_that_it_differs(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH.format('# differs = "why"\n')})
    put(repository, "ch01/a", text="== one ==\nn: 1\n== two ==\nx: 0.12345678\n== three ==\nn: 4\n")
    put(repository, "ch01/a", "gpu", text="== one ==\nn: 1\n== two ==\nx: 0.12345679\n== three ==\nn: 5\n")
    for section, said, differs in (
        ("one", "Interpreter and H200 print the same", 0),
        ("two", "Interpreter and H200 agree, but for rounding", 0),
        ("three", "Interpreter and H200 differ where marked", 1),
    ):
        page, problems = shown(repository, f'{{{{ outputs("ch01/a", section="{section}") }}}}\n')
        assert problems == () and said in page and page.count("evidence__why") == differs
        assert page.count("<mark") == 2 * differs


def test_facts_are_a_table_and_a_rejection_is_text(repo, put):
    repository = repo(
        {"snippets/ch01/a.py": KERNEL.format('# runners = ["compiler", "gpu"]\n# rejects = ["k"]\n')}
    )
    put(repository, "ch01/a", "compiler", text=FACTS)
    page, problems = shown(repository, '{{ outputs("ch01/a", runner="compiler") }}\n')
    assert problems == ()
    assert "<thead><tr><th>target</th><th>shared</th><th>registers</th><th>loads</th></tr></thead>" in page
    assert "<tr><td>sm_90</td><td>0 B</td><td>18</td><td>4 x 32 bit</td></tr>" in page
    assert "<td>gfx942</td>" not in page
    assert (
        "Rejected for gfx942:</p><pre><samp>CompilationError: at 3:4: &lt;b&gt;x&lt;/b&gt; &amp; y</samp>"
        in page
    )
    assert "<code>k(X=2)</code>" in page and "divisible by 16, num_warps=4" in page
    assert "setp" not in page


def test_a_program_that_launches_nothing_says_so(repo, put):
    repository = repo(
        {"snippets/ch01/a.py": '# /// capture\n# runners = ["compiler", "gpu"]\n# ///\nprint()\n'}
    )
    put(repository, "ch01/a", "compiler", text="no kernel is launched\n")
    page, _ = shown(repository, '{{ outputs("ch01/a", runner="compiler") }}\n')
    assert "<p>no kernel is launched\n</p>" in page


def test_ptx_stands_beside_the_line_that_it_comes_from(repo, put):
    settings = '# runners = ["compiler", "gpu"]\n# rejects = ["k"]\n# ptx = ["k(X=2)"]\n'
    repository = repo({"snippets/ch01/a.py": KERNEL.format(settings)})
    put(repository, "ch01/a", "compiler", text=FACTS)
    page, problems = shown(repository, '{{ ptx("ch01/a", "k(X=2)") }}\n')
    assert problems == ()
    rows = re.findall(r'<span class="ptx__(line|made)">(.*?)</span>', page, re.DOTALL)
    assert [(kind, html.unescape(text)) for kind, text in rows] == [
        ("line", "@triton.jit"),
        ("line", "def k(x, X: int):"),
        ("line", "    y = x < 1"),
        ("made", "setp.lt.f32 %p1, %r1, <1>;\nadd & sub;"),
        ("line", "    return y"),
        ("made", "ret;"),
    ]
    assert page.count('<details class="ptx"') == 1 and page.count("<details") == page.count("</details>") == 2
    assert "<details open" not in page


@pytest.mark.parametrize("launch", ["k(X=3)", "k", "j(X=2)"])
def test_a_launch_that_is_not_listed_is_a_problem(repo, put, launch):
    repository = repo({"snippets/ch01/a.py": KERNEL.format('# runners = ["compiler"]\n')})
    put(repository, "ch01/a", "compiler", text=FACTS)
    page, (problem,) = shown(repository, f'{{{{ ptx("ch01/a", "{launch}") }}}}\n')
    assert problem == f"1: ch01/a: no PTX of {launch} in its capture; it lists k(X=2) (setting ptx)"
    assert "evidence__badge" in page


def test_what_is_not_fresh_carries_a_badge_and_is_a_problem(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH.format("")})
    put(repository, "ch01/a", text="n: 1\n", source="sha256:0")
    put(repository, "ch01/a", "gpu", text="n: 1\n")
    page, problems = shown(repository, 'x\n\n{{ outputs("ch01/a") }}\n')
    assert [problem.split(";")[0] for problem in problems] == [
        "3: ch01/a (interpreter) is stale: the snippet, or a file that it imports, has changed since"
    ]
    assert page.count("evidence__badge") == 1 and "run: scripts/build ch01/a" in page


def test_the_foot_names_device_versions_and_command(repo, put):
    repository = repo({"snippets/ch01/a.py": BOTH.format("")})
    put(repository, "ch01/a", text="n: 1\n", device="<CPU> & more")
    put(repository, "ch01/a", "gpu", text="n: 1\n")
    page, _ = shown(repository, '{{ outputs("ch01/a") }}\n')
    assert "&lt;CPU&gt; &amp; more · python 3.11 · torch 2.13.0 · exit 0 · " in page
    assert "Interpreter and H200 print the same" in page


def test_a_block_says_how_to_reproduce_it(repo, put):
    repository = repo({"snippets/ch01/a.py": KERNEL.format('# runners = ["interpreter", "compiler", "gpu"]\n')})
    for runner in ("interpreter", "gpu"):
        put(repository, "ch01/a", runner, text="n: 1\n", versions="python 3.11, torch 2.13.0, triton 3.7.1")
    put(repository, "ch01/a", "compiler", text=FACTS.replace("gfx942: rejected\n", "gfx942: registers 7\n"))
    page, _ = shown(repository, '{{ outputs("ch01/a") }}\n')
    folds = re.findall(r"<summary>Reproduce</summary><div>(.*?)</div></details>", page)
    assert [re.findall("<code>(.*?)</code>", fold) for fold in folds] == [
        ["pip install torch==2.13.0 triton==3.7.1", "TRITON_INTERPRET=1 python a.py"],
        ["pip install torch==2.13.0 triton==3.7.1", "python a.py"],
        ["scripts/build --force --runner compiler ch01/a"],
    ]
    assert page.count('<a download href="../programs/ch01/a.py">a.py</a>') == 3
