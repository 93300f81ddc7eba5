"""Run MkDocs, but only when something that it reads has changed since it last ran."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

# Material's banner, at every build.
os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")

_STAMP = ".executed"
_ONE_OF_EACH = "# A\n\n!!! note\n    a\n\n```python\na = 1\n```\n\n| a |\n|---|\n| `b` |\n"
_SOURCES = ("mkdocs.yml", "requirements.txt", "docs", "snippets", "scripts")


def build(root: Path, *, strict: bool = True) -> int | None:
    """Build ``root/site``. Returns MkDocs' exit code, or None where nothing had changed."""
    stamp = root / "site" / _STAMP
    now = fingerprint(root)
    whole = stamp.is_file() and (root / "site" / "index.html").is_file()
    if whole and stamp.read_text("utf-8") == now:
        return None
    code = _mkdocs(root, strict)
    if code == 0 and strict:
        stamp.write_text(now, encoding="utf-8")
    return code


def warm_up(root: Path) -> None:
    """Import all that a build needs, and compile its templates, while something else keeps another core busy."""
    from jinja2 import FileSystemBytecodeCache, TemplateError
    from markdown import Markdown
    from mkdocs.commands import build  # noqa: F401
    from mkdocs.config import load_config

    try:
        config = load_config(str(root / "mkdocs.yml"))
        env = config.theme.get_env()
        env.bytecode_cache = FileSystemBytecodeCache(str(templates(root)))
        for name in env.list_templates(extensions=["html"]):
            try:
                env.get_template(name)
            except TemplateError:
                pass  # Of a plugin that this site does not have.
        # What an extension compiles when it first meets its own kind of text, or any.
        Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs).convert(_ONE_OF_EACH)
    except Exception:
        pass  # The build itself says what is wrong with it.


def cache(root: Path) -> Path:
    """Where builds keep what the next can use. Not in docs/: a file written there while serving starts a build."""
    return root / ".cache" / "executed"


def templates(root: Path) -> Path:
    """The folder of the theme's compiled templates."""
    folder = cache(root) / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _mkdocs(root: Path, strict: bool) -> int:
    """``mkdocs build`` in this process, where most of what it imports is there already."""
    from click import ClickException
    from mkdocs.__main__ import cli

    command = ["build", "--quiet", "--strict" if strict else "--no-strict", "-f", str(root / "mkdocs.yml")]
    try:
        cli.main(command, standalone_mode=False)
    except ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit as ended:
        return 0 if ended.code is None else int(ended.code)
    return 0


def fingerprint(root: Path) -> str:
    """Digest of every file that the site is made from."""
    digest = hashlib.sha256()
    # mkdocs.yml reads the site's address from the environment.
    digest.update(f"{os.environ.get('SITE_URL', '')}\0".encode())
    for path in _files(root):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    for source in _SOURCES:
        path = root / source
        if path.is_file():
            yield path
        else:
            yield from sorted(
                p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts and p.name[0] != "."
            )
