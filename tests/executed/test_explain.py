"""An explanation says in one screen what changed, what a re-run prints, and what depends on it."""

import subprocess
from dataclasses import replace

import pytest

from executed import lint
from executed.capture import read
from executed.discover import discover
from executed.explain import explain
from executed.judge import State, Verdict, look

A = (
    '# /// capture\n# runners = ["interpreter", "gpu"]\n# ///\n'
    'from ch01.b import x\n\nN = 4\nprint("n:", N * x)\n'
)
B = '# /// capture\n# runners = ["interpreter"]\n# ///\nx = 1\n'
PAGE = """# Page

First sentence. Then {{ value("ch01/a", "n") }} follows.

--8<-- "ch01/a.py"

{{ claim("It is four", "[n] == 4", snippet="ch01/a") }}, and [b](b.md).

{{ value("ch01/b", "y") }} and {{ claim("no", "[ch01/a | n] > 0", snippet="ch01/b") }}
"""


def git(root, *arguments):
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@y", "-c", "commit.gpgsign=false", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def book(repo, put):
    repository = repo({"snippets/ch01/a.py": A, "snippets/ch01/b.py": B, "docs/page.md": PAGE})
    put(repository, "ch01/a", text="n: 4\n")
    put(repository, "ch01/a", "gpu", text="n: 4\n")
    return repository


@pytest.fixture
def committed(book):
    git(book.root, "init", "-q")
    git(book.root, "config", "color.ui", "always")
    git(book.root, "add", "-A")
    git(book.root, "commit", "-qm", "x")
    return book


def told(root, pins=None, name="ch01/a", verdicts=None) -> str:
    repository = discover(root)
    snippet = repository.snippets[name]
    if verdicts is None:
        verdicts = [look(repository, snippet, runner, pins or {}) for runner in snippet.settings.runners]
    return explain(repository, snippet, verdicts, lint.pages(repository))


def test_nothing_changed(committed):
    said = told(committed.root)
    assert said.startswith("ch01/a\n")
    assert "interpreter: fresh\n    recorded by python 3.11, torch 2.13.0 on CPU\n" in said
    assert "gpu: fresh\n    recorded by python 3.11, torch 2.13.0 on NVIDIA H200, sm_90, driver 1\n" in said
    assert said.count("no line of its code has changed since") == 2
    assert "run" not in said.replace("not run here", "")


def test_a_changed_line_of_the_snippet(committed):
    path = committed.root / "snippets/ch01/a.py"
    path.write_text(A.replace("N = 4", "N = 5\n--N"))
    said = told(committed.root)
    assert "interpreter: stale" in said
    assert (
        "    changed since: snippets/ch01/a.py (the snippet)\n      -N = 4\n      +N = 5\n      +--N\n"
        in said
    )
    assert said.count("N = 5") == 1
    assert "changed since: the same as for interpreter" in said
    assert "run: scripts/build ch01/a" in said
    assert "run on a machine with a GPU: scripts/build --runner gpu ch01/a" in said
    git(committed.root, "commit", "-qam", "the code, without its capture")
    assert told(committed.root) == said


def test_a_removed_line_that_begins_with_dashes(book):
    path = book.root / "snippets/ch01/a.py"
    path.write_text(A.replace("N = 4", "N = 4\n--N"))
    git(book.root, "init", "-q")
    git(book.root, "add", "-A")
    git(book.root, "commit", "-qm", "x")
    path.write_text(A + "print(1)\n")
    assert "      ---N\n      +print(1)\n" in told(book.root)


def test_a_changed_import(committed):
    (committed.root / "snippets/ch01/b.py").write_text(B.replace("x = 1", "x = 2"))
    said = told(committed.root)
    assert "changed since: snippets/ch01/b.py (an import)\n      -x = 1\n      +x = 2\n" in said
    assert "(the snippet)" not in said


def test_a_new_import_is_shown_whole(committed):
    (committed.root / "snippets/ch01/c.py").write_text(B.replace("x = 1", "y = 3"))
    (committed.root / "snippets/ch01/a.py").write_text("from ch01.c import y\n" + A)
    said = told(committed.root)
    assert "+from ch01.c import y" in said
    assert "snippets/ch01/c.py (an import, not there before)" in said
    assert "      +y = 3\n" in said


def test_a_comment_is_no_change(committed):
    (committed.root / "snippets/ch01/a.py").write_text(A + "# more\n")
    said = told(committed.root)
    assert "fresh" in said and "# more" not in said


def test_another_version(committed):
    said = told(committed.root, {"torch": "2.14.0"})
    assert "interpreter: outdated, it is of torch 2.13.0; requirements.txt pins 2.14.0" in said
    assert "no line of its code has changed since" in said
    assert "gpu: fresh" in said


def test_a_capture_that_was_never_committed(book):
    git(book.root, "init", "-q")
    assert "interpreter: fresh" in told(book.root)
    (book.root / "snippets/ch01/a.py").write_text(A.replace("N = 4", "N = 5"))
    assert "the capture was never committed, so git cannot say what" in told(book.root)


def test_a_capture_that_was_renewed_and_not_committed(committed, put):
    path = committed.root / "snippets/ch01/a.py"
    path.write_text(A.replace("N = 4", "N = 5"))
    put(discover(committed.root), "ch01/a", text="n: 5\n")
    said = told(committed.root)
    assert "interpreter: fresh" in said
    assert said.index("no line of its code has changed since") < said.index("gpu: stale")
    path.write_text(A.replace("N = 4", "N = 6"))
    assert "the capture was renewed after its last commit" in told(committed.root)


@pytest.mark.parametrize("broken", [None, "no such folder"])
def test_without_git(book, monkeypatch, broken):
    (book.root / "snippets/ch01/a.py").write_text(A.replace("N = 4", "N = 5"))
    if broken:
        monkeypatch.setenv("PATH", broken)
    said = told(book.root)
    assert "interpreter: stale" in said
    assert "git cannot say what" in said


def test_the_book_may_lie_below_the_root_of_git(book):
    inner = book.root / "a book"
    inner.mkdir()
    for name in ("snippets", "docs"):
        (book.root / name).rename(inner / name)
    git(book.root, "init", "-q")
    git(book.root, "add", "-A")
    git(book.root, "commit", "-qm", "x")
    (inner / "snippets/ch01/a.py").write_text(A.replace("N = 4", "N = 5"))
    assert "      -N = 4\n      +N = 5\n" in told(inner)


def test_a_missing_capture(book):
    book.snippets["ch01/a"].capture_path("gpu").unlink()
    said = told(book.root)
    assert "gpu: missing, it was never captured\n    not run here\n    run on a machine with a GPU" in said


def _verdict(book, state, **fields):
    recorded = read(book.snippets["ch01/a"].capture_path("interpreter"))
    return Verdict("ch01/a", "interpreter", state, "why", recorded, **fields), recorded


def test_what_a_re_run_prints(book):
    verdict, recorded = _verdict(book, State.FRESH, printed="n: 4\n")
    assert "a re-run prints the same\n" in told(book.root, verdicts=[verdict])
    renewed = replace(recorded, text="n: 5\n")
    verdict, _ = _verdict(book, State.CHANGED, printed="n: 5\n", renewed=renewed)
    said = told(book.root, verdicts=[verdict])
    assert "a re-run prints:\n" in said and "    -n: 4\n    +n: 5\n" in said
    verdict, _ = _verdict(book, State.FAILED, printed="x\nKeyError: 'a'\n")
    assert "a re-run fails; it prints:\n    | x\n    | KeyError: 'a'\n" in told(book.root, verdicts=[verdict])
    verdict, _ = _verdict(book, State.OUTDATED, printed="n: 4\n", renewed=recorded)
    assert "a re-run prints the same\n" in told(book.root, verdicts=[verdict])
    verdict = replace(verdict, recorded=None, state=State.MISSING)
    assert "what would be the first capture" in told(book.root, verdicts=[verdict])


def test_what_depends_on_it(committed):
    said = told(committed.root)
    assert said.endswith(
        "  depends on it:\n"
        '    docs/page.md:3: Then {{ value("ch01/a", "n") }} follows.\n'
        '    docs/page.md:5: --8<-- "ch01/a.py"\n'
        '    docs/page.md:7: {{ claim("It is four", "[n] == 4", snippet="ch01/a") }}, and [b](b.md).\n'
        '    docs/page.md:9: {{ value("ch01/b", "y") }} and '
        '{{ claim("no", "[ch01/a | n] > 0", snippet="ch01/b") }}'
    )
    assert "snippets/ch01/a.py: imports or bundles it" in told(committed.root, name="ch01/b")
    (committed.root / "docs/page.md").write_text("nothing\n")
    assert told(committed.root).endswith("  depends on it:\n    nothing")


def test_it_fits_on_a_screen(committed):
    root = committed.root
    (root / "snippets/ch01/a.py").write_text(A + "".join(f"print({n})\n" for n in range(300)))
    (root / "snippets/ch01/b.py").write_text(B + "".join(f"x = {n}\n" for n in range(300)))
    (root / "docs/page.md").write_text(('{{ value("ch01/a", "n") }} ' + "word " * 100 + "\n\n") * 100)
    repository = discover(root)
    verdicts = []
    for runner in ("interpreter", "gpu"):
        seen = look(repository, repository.snippets["ch01/a"], runner, {})
        text = "".join(f"{n}\n" for n in range(300))
        verdicts.append(replace(seen, printed=text, renewed=replace(seen.recorded, text=text)))
    lines = told(root, verdicts=verdicts).split("\n")
    assert len(lines) < 75
    assert max(map(len, lines)) <= 130
    assert sum("lines more" in line for line in lines) == 5
