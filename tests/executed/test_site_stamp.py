"""The site is built again when an input changed, whichever it was, and only then."""

import pytest

from executed import site

FILES = {
    "mkdocs.yml": "site_name: x\n",
    "requirements.txt": "mkdocs\n",
    "docs/index.md": "# x\n",
    "docs/assets/logo.svg": "<svg/>",
    "docs/deep/er/page.md": "# y\n",
    "snippets/ch01/a.py": "print(1)\n",
    "snippets/ch01/a.interpreter.txt": "---\nx\n",
    "scripts/hooks.py": "x = 1\n",
    "scripts/executed/run.py": "x = 1\n",
}


@pytest.fixture
def root(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", ["edit", "append", "empty", "remove", "rename", "swap case"])
def test_every_change_of_an_input_shows(root, name, change):
    before = site.fingerprint(root)
    path = root / name
    text = path.read_text()
    match change:
        case "edit":
            path.write_text(text.replace(text[0], "~", 1))
        case "append":
            path.write_text(text + " ")
        case "empty":
            path.write_text("")
        case "remove":
            path.unlink()
        case "rename":
            path.rename(path.with_name(f"z{path.name}"))
        case "swap case":
            path.write_text(text.swapcase())
    assert site.fingerprint(root) != before


@pytest.mark.parametrize(
    "name", ["docs/new.md", "snippets/ch02/b.py", "scripts/executed/new.py", "docs/a/b/c.png"]
)
@pytest.mark.parametrize("content", [b"", b"x", b"\xff\x00"])
def test_a_new_file_shows(root, name, content):
    before = site.fingerprint(root)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(content)
    assert site.fingerprint(root) != before


def test_what_moves_between_two_files_shows(root):
    (root / "docs/a.md").write_text("xy")
    (root / "docs/b.md").write_text("z")
    before = site.fingerprint(root)
    (root / "docs/a.md").write_text("x")
    (root / "docs/b.md").write_text("yz")
    assert site.fingerprint(root) != before


@pytest.mark.parametrize(
    "name",
    ["scripts/executed/__pycache__/run.cpython-311.pyc", "docs/.page.md.swp", "snippets/ch01/.a.gpu.txt.x1",
     "README.md",
     "tests/test_x.py", "site/index.html", ".cache/executed/x", ".venv/x"],
)  # fmt: skip
def test_what_is_no_input_does_not(root, name):
    before = site.fingerprint(root)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text("x")
    assert site.fingerprint(root) == before


def test_the_same_files_elsewhere_have_the_same_stamp(root, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    for name in reversed(FILES):
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_text(FILES[name])
    assert site.fingerprint(other) == site.fingerprint(root)


@pytest.fixture
def built(root, monkeypatch):
    """Builds with a stand-in for MkDocs that ends with a given code; the codes that came back."""
    ran = []

    def build(code: int = 0, *, strict: bool = True):
        def run(root, strict):
            ran.append(strict)
            (root / "site").mkdir(exist_ok=True)
            (root / "site" / "index.html").touch()
            return code

        monkeypatch.setattr(site, "_mkdocs", run)
        return site.build(root, strict=strict), len(ran)

    return build


def test_a_build_that_succeeded_is_not_done_again(root, built):
    assert [built(), built()] == [(0, 1), (None, 1)]
    (root / "docs/index.md").write_text("# z\n")
    assert [built(), built()] == [(0, 2), (None, 2)]


def test_a_site_that_was_deleted_is_built_again(root, built):
    built()
    (root / "site" / "index.html").unlink()
    assert built() == (0, 2)


def test_another_address_of_the_site_is_another_site(built, monkeypatch):
    built()
    monkeypatch.setenv("SITE_URL", "https://example.org/book/")
    assert built() == (0, 2)


def test_a_build_that_failed_or_was_not_strict_is(built):
    assert [built(1), built(0, strict=False), built(0), built(0)] == [(1, 1), (0, 2), (0, 3), (None, 3)]
