"""A digest moves with the code behind a capture, and with nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed.digest import source_digest, text_digest, without_comments

ENGINE = Path(__file__).resolve().parents[2] / "scripts"

MAIN = '''\
"""A program."""

# /// capture
# timeout = 5
# ///

from ch01.shared import twice

# --8<-- [start:all]
TEXT = """
# no comment, but text
"""
print(twice(1), "# text", f"{1:#x}")  # a comment
# --8<-- [end:all]
'''
SHARED = "from ch02.deep import factor\n\n\ndef twice(x):\n    # Doubles.\n    return factor() * x\n"
DEEP = "def factor():\n    return 2\n"
FILES = {"snippets/ch01/main.py": MAIN, "snippets/ch01/shared.py": SHARED, "snippets/ch02/deep.py": DEEP}
GOLDEN = "sha256:e9cabe33d9b4519215603fe37aec194c"


@pytest.fixture
def digest(repo):
    """The digest of ``ch01/main`` in a repository of ``FILES``, some of them changed."""

    def digest(runner: str = "interpreter", **changed: str | bytes) -> str:
        named = {f"snippets/{name.replace('__', '/')}.py": content for name, content in changed.items()}
        repository = repo(FILES | named)
        assert repository.errors == ()
        return source_digest(repository, repository.snippets["ch01/main"], runner)

    return digest


def test_the_digest_is_pinned(digest):
    assert digest() == GOLDEN


def _interpreters() -> list[str]:
    names = [f"python3.{minor}" for minor in range(11, 16)]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [shutil.which(name) for name in names] + [
        str(p) for p in sorted(pyenv.glob("3.1[1-9]*/bin/python"))
    ]
    return [path for path in found if path and ".pyenv/shims" not in path] + [sys.executable]


@pytest.mark.parametrize("python", _interpreters())
def test_the_digest_is_the_same_on_every_python_here(digest, tmp_path, python):
    digest()
    program = (
        "from pathlib import Path; from executed.discover import discover; "
        "from executed.digest import source_digest; r = discover(Path('.').resolve()); "
        "print(source_digest(r, r.snippets['ch01/main'], 'interpreter'))"
    )
    ran = subprocess.run(
        [python, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ENGINE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == GOLDEN


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(MAIN.replace("# a comment", "# another"), id="a comment"),
        pytest.param(MAIN.replace("  # a comment", ""), id="no comment"),
        pytest.param(MAIN + "# at the end", id="a comment without a line end"),
        pytest.param(
            MAIN.removesuffix("# --8<-- [end:all]\n").replace("# --8<-- [start:all]\n", ""), id="no region"
        ),
        pytest.param(MAIN.replace("timeout = 5", "timeout = 6"), id="a setting"),
        pytest.param(MAIN.replace("# /// capture\n# timeout = 5\n# ///\n", ""), id="no settings"),
        pytest.param(MAIN.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(b"\xef\xbb\xbf" + MAIN.encode(), id="a byte order mark"),
        pytest.param(MAIN.replace("from ch01", "# one\n# two\nfrom ch01"), id="lines of comment"),
    ],
)
def test_comments_settings_regions_and_line_ends_do_not_move_it(digest, changed):
    before = digest()
    assert digest(ch01__main=changed) == before


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"ch01__main": MAIN.replace("twice(1)", "twice(2)")}, id="a constant"),
        pytest.param({"ch01__main": MAIN.replace("# no comment", "# none")}, id="text like a comment"),
        pytest.param({"ch01__main": MAIN.replace('"# text"', '"# txt"')}, id="a string with a hash"),
        pytest.param({"ch01__main": MAIN.replace("#x", "#o")}, id="a format with a hash"),
        pytest.param({"ch01__main": MAIN.replace("A program", "Another")}, id="a docstring"),
        pytest.param({"ch01__main": MAIN.replace("print", "\nprint")}, id="a blank line"),
        pytest.param({"ch01__main": MAIN.replace("# text", " # text")}, id="a blank in a string"),
        pytest.param({"ch01__shared": SHARED.replace("* x", "+ x")}, id="an import"),
        pytest.param({"ch02__deep": DEEP.replace("2", "3")}, id="an import of an import"),
        pytest.param(
            {"ch01__shared": SHARED.replace("from ch02.deep", "from ch02.other"), "ch02__other": DEEP},
            id="another file with the same text",
        ),
    ],
)
def test_anything_else_moves_it(digest, changed):
    before = digest()
    assert digest(**changed) != before


def test_a_snippet_that_is_not_imported_does_not_move_it(digest):
    before = digest()
    assert digest(ch02__other="print(1)\n") == before


def test_the_runner_moves_it(digest):
    assert digest("gpu") != digest("interpreter")


def test_the_bundle_and_its_order_move_it(repo):
    def of(line: str) -> str:
        text = f'"""Doc."""\n# /// capture\n# {line}\n# ///\n'
        parts = {f"snippets/ch01/{name}.py": f"print({name!r})\n" for name in "ab"}
        repository = repo({"snippets/ch01/main.py": text} | parts)
        return source_digest(repository, repository.snippets["ch01/main"], "interpreter")

    digests = [
        of("timeout = 5"),
        *(of(f"bundle = {names}") for names in (["a"], ["b"], ["a", "b"], ["b", "a"])),
    ]
    assert len(set(digests)) == 5


def test_a_bundled_part_moves_it(repo):
    def of(part: str) -> str:
        whole = '"""Doc."""\n# /// capture\n# bundle = ["a"]\n# ///\n'
        repository = repo({"snippets/ch01/main.py": whole, "snippets/ch01/a.py": part})
        return source_digest(repository, repository.snippets["ch01/main"], "interpreter")

    assert of("print(1)\n") != of("print(2)\n")
    assert of("print(1)\n") == of("print(1)  # one\n")


def test_a_line_that_moves_from_one_file_to_the_next_moves_it(digest):
    one = digest(ch01__shared=SHARED + "A = 1\n", ch02__deep=DEEP)
    assert digest(ch01__shared=SHARED, ch02__deep="A = 1\n" + DEEP) != one


CODE = st.lists(
    st.sampled_from(
        [
            "x = 1",
            "y = '#'",
            "z = '''\n# text\n'''",
            "def f():\n    return 1",
            "w = (\n    1,\n)",
            "",
            "s = 'é\u2028'",
        ]
    ),
    max_size=6,
)
COMMENT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12).map("#{}".format)


@given(CODE, st.data())
def test_comments_between_statements_never_count(statements, data):
    plain = "\n".join([*statements, ""])
    comments = data.draw(st.lists(COMMENT, min_size=len(statements) + 1, max_size=len(statements) + 1))
    mixed = "\n".join(line for pair in zip(comments, [*statements, ""]) for line in pair)
    assert without_comments(mixed) == without_comments(plain)


@given(CODE, COMMENT)
def test_a_comment_behind_a_statement_never_counts(statements, comment):
    plain = "".join(f"{line}\n" for line in statements)
    mixed = "".join(f"{line}  {comment}\n" if line else "\n" for line in statements)
    assert without_comments(mixed) == without_comments(plain)


@given(CODE, CODE)
def test_other_code_always_counts(one, other):
    texts = ["".join(f"{line}\n" for line in lines) for lines in (one, other)]
    assert len(set(map(without_comments, texts))) == len(set(texts))


@given(st.text(), st.text())
def test_texts_differ_where_their_digests_do(one, other):
    assert (text_digest(one) == text_digest(other)) == (one == other)


def test_of_mojo_only_whole_lines_of_comment_do_not_count(repo):
    def of(text: str) -> str:
        repository = repo({"snippets/ch01/a.mojo": text})
        return source_digest(repository, repository.snippets["ch01/a"], "mojo")

    code = "fn main():\n    print(1)\n"
    assert of(code) == of(f"# one\n{code}    # two\n") == of(code.replace("\n", "\r\n"))
    assert of(code) != of(code.replace("1", "2"))
