"""Every program under ``snippets/`` is found, or there is an error that names it."""

import pytest

from executed.discover import capture_files, parse
from executed.snippet import SnippetError


def names(snippets) -> list[str]:
    return [snippet.name for snippet in snippets]


def test_snippets_by_name_in_order(repo):
    repository = repo({f"snippets/{name}.py": "x = 1\n" for name in ("ch02/a", "ch01/b", "ch01/a")})
    assert list(repository.snippets) == ["ch01/a", "ch01/b", "ch02/a"]
    assert repository.errors == ()


def test_a_repository_without_snippets_is_empty(repo):
    assert repo({"docs/page.md": ""}).snippets == {}


@pytest.mark.parametrize("root", ["a book's «folder»", 'q"uote', "x" * 100])
def test_a_repository_may_lie_anywhere(tmp_path, root):
    from executed.discover import discover

    path = tmp_path / root / "snippets" / "ch01" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text("x = 1\n")
    assert discover(tmp_path / root).snippets["ch01/a"].path == path


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        ("a.py", "", "lies at snippets/CHAPTER/NAME.py"),
        ("ch01/deep/a.py", "", "lies at"),
        ("ch01/a-b.py", "", "lies at"),
        ("12_ch/a.py", "", "lies at"),
        (".cache/a.py", "", "lies at"),
        ("ch01/a.py", "x = = 1\n", "a.py:1: invalid syntax"),
        ("ch01/a.py", "x = 1\n\nif x:\nprint(x)\n", "a.py:4: expected an indented block"),
        ("ch01/a.py", "print 1\n", "a.py:1: Missing parentheses"),
        ("ch01/a.py", "x = '\0'\n", "a.py:1: a NUL"),
        ("ch01/a.py", b"x = '\xff'\n", "a.py: not UTF-8"),
        ("ch01/a.py", "# /// capture\n# x = 1\n# ///\n", "a.py:1: unknown setting 'x'"),
        (
            "ch01/a.py",
            "x = 1\nfrom ch01.gone import y\n",
            "a.py:2: imports ch01.gone, but there is no snippet ch01/gone",
        ),
        ("ch01/a.py", "from ch01 import good\n", "a.py:1: imports ch01,"),
        ("ch01/a.py", "def f():\n    import ch01.gone\n", "a.py:2: imports ch01.gone"),
        ("ch01/a.py", '# /// capture\n# bundle = ["gone"]\n# ///\n', "a.py: bundle names 'gone'"),
        ("ch01/a.py", '# /// capture\n# bundle = ["a"]\n# ///\n', "a.py: bundle names 'a'"),
        ("ch01/a.py", '# /// capture\n# bundle = ["../ch01/good"]\n# ///\n', "a.py: bundle names"),
    ],
)
def test_a_file_that_is_no_snippet_is_an_error_and_the_others_are_kept(repo, path, content, said):
    repository = repo({"snippets/ch01/good.py": "x = 1\n", f"snippets/{path}": content})
    assert "ch01/good" in repository.snippets
    (error,) = repository.errors
    assert error.startswith(str(repository.folder / path))
    assert said in error


def test_a_link_that_leaves_the_folder_is_an_error(repo, tmp_path):
    (tmp_path / "secret.py").write_text("KEY = 1\n")
    (tmp_path / "snippets" / "ch01").mkdir(parents=True)
    (tmp_path / "snippets" / "ch01" / "a.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.py").write_text("KEY = 1\n")
    (tmp_path / "snippets" / "ch02").symlink_to(tmp_path / "elsewhere")
    repository = repo({})
    assert repository.snippets == {}
    assert "a link that leaves snippets/" in repository.errors[0]


def test_a_link_to_nowhere_is_an_error(repo, tmp_path):
    (tmp_path / "snippets" / "ch01").mkdir(parents=True)
    (tmp_path / "snippets" / "ch01" / "a.py").symlink_to("gone.py")
    (error,) = repo({}).errors
    assert "a.py: cannot be read" in error


def test_imports_and_all_that_they_import(repo):
    repository = repo(
        {
            "snippets/ch01/a.py": "import os\nfrom ch01.b import x\nfrom ch02.c import y\n",
            "snippets/ch01/b.py": "from ch02.c import y\nx = 1\n",
            "snippets/ch02/c.py": "import numpy.linalg\n\n\ndef f():\n    from ch02.d import z\n\n\ny = 1\n",
            "snippets/ch02/d.py": "z = 1\n",
            "snippets/ch02/e.py": "z = 1\n",
        }
    )
    assert repository.errors == ()
    assert names(repository.imports(repository.snippets["ch01/a"])) == ["ch01/b", "ch02/c"]
    assert names(repository.closure(repository.snippets["ch01/a"])) == ["ch01/b", "ch02/c", "ch02/d"]
    assert names(repository.closure(repository.snippets["ch02/d"])) == []


def test_snippets_that_import_each_other_are_told(repo):
    repository = repo(
        {"snippets/ch01/a.py": "from ch01.b import x\n", "snippets/ch01/b.py": "from ch01.a import y\n"}
    )
    assert [error.split(": ", 1)[1] for error in repository.errors] == [
        "ch01/b imports or bundles it, in a circle", "ch01/a imports or bundles it, in a circle"
    ]


def test_a_bundle_has_its_parts_in_order_and_their_labels(repo):
    label = '# /// capture\n# [labels]\n# {} = {{ kind = "volatile" }}\n# ///\n'
    repository = repo(
        {
            "snippets/ch01/whole.py": '# /// capture\n# bundle = ["b", "a"]\n# ///\n',
            "snippets/ch01/a.py": label.format("one"),
            "snippets/ch01/b.py": label.format("two") + "from ch02.c import y\n",
            "snippets/ch02/c.py": "y = 1\n",
        }
    )
    whole = repository.snippets["ch01/whole"]
    assert names(repository.parts(whole)) == ["ch01/b", "ch01/a"]
    assert names(repository.closure(whole)) == ["ch01/a", "ch01/b", "ch02/c"]
    assert [found.pattern for found in whole.settings.labels] == ["two", "one"]
    assert repository.parts(repository.snippets["ch01/a"]) == ()


def test_parsing_names_the_line(repo):
    snippet = repo({"snippets/ch01/a.py": "x = 1\n"}).snippets["ch01/a"]
    assert len(parse(snippet).body) == 1
    with pytest.raises(SnippetError, match=r"a\.py:2: "):
        parse(type(snippet)(snippet.name, snippet.path, "x = 1\ny =\n"))


def test_captures_with_and_without_a_snippet(repo, tmp_path):
    repo(
        {
            "snippets/ch01/a.py": "x = 1\n",
            "snippets/ch01/a.gpu.txt": "",
            "snippets/ch01/gone.interpreter.txt": "",
            "snippets/ch01/a.b.gpu.txt": "",
            "snippets/ch01/.a.gpu.txt.x7f3": "",
        }
    )
    found = {(name, runner) for name, runner, _ in capture_files(tmp_path)}
    assert found == {("ch01/a", "gpu"), ("ch01/gone", "interpreter"), ("ch01/a.b", "gpu")}
