"""Measure the engine on this machine, against other ways to put executed code on a page.

The same small book is built by each tool that is installed: cold, with nothing changed, and after
one snippet was edited. Everything is measured in one run, and every figure has its ratio beside it.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1]
PAGES = 24
GROWTH = (25, 50, 100, 200, 400)
COLD_GROWTH = (25, 100, 400)

_PROGRAM = '''\
"""Snippet {number} of the book that is measured."""

# /// capture
# runners = ["interpreter"]
# ///

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(
    x_ptr, out_ptr, n, FACTOR: tl.constexpr, BLOCK: tl.constexpr
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * FACTOR, mask=mask)


x = torch.arange(200, dtype=torch.float32)
out = torch.empty_like(x)
scale_kernel[(4,)](x, out, 200, FACTOR={number} + {edit}, BLOCK=64)
print("sum:", out.sum().item())
print("right:", torch.equal(out, x * ({number} + {edit})))
'''
_CONFIG = """\
site_name: Bench
theme:
  name: material
  font: false
plugins:
  - search
{plugins}
markdown_extensions:
  - attr_list
  - md_in_html
  - pymdownx.superfences
  - pymdownx.snippets:
      base_path: [{snippets}]
      check_paths: true
"""


@dataclass(frozen=True)
class Tool:
    """One way to build the book: how its folder is laid out, and how it is built."""

    name: str
    plugin: str
    """Lines of mkdocs.yml that turn it on."""
    page: Callable[[int, Path], tuple[str, str]]
    """From a snippet's number and path to the name and the text of its page."""
    build: Callable[[Path], None]
    module: str | None = None
    """What must be importable for it; None where nothing is."""


def main() -> None:
    """Print the whole measurement, one labelled line a figure."""
    print("== the same book, built by each ==")
    print(f"pages: {PAGES}")
    seconds: dict[str, tuple[float, ...]] = {}
    for tool in TOOLS:
        if tool.module and importlib.util.find_spec(tool.module) is None:
            print(f"{tool.name}: not installed")
            continue
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            seconds[tool.name] = _measure(tool, Path(folder))
        print(f"{tool.name}: {_fields(seconds[tool.name], '.2f', ' s')}", flush=True)
    _ratios(seconds)
    _growth()


def _ratios(seconds: dict[str, tuple[float, ...]]) -> None:
    print("== ratios ==")
    ours, bare = seconds["this engine"], seconds["bare site, nothing run"]
    for name, theirs in seconds.items():
        if name != "this engine":
            ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
            print(f"{name} over this engine: {_fields(ratios, '.2g', '')}")
    print(f"nothing changed, over the bare site: {ours[1] / bare[1]:.2f}")


def _fields(values: Sequence[float], spec: str, unit: str) -> str:
    names = ("cold", "unchanged", "edit")
    return ", ".join(f"{name} {format(value, spec)}{unit}" for name, value in zip(names, values, strict=True))


def _growth() -> None:
    print("== growth of the engine alone ==")
    for count in GROWTH:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            root = Path(folder)
            _lay_out(root, OURS, count)
            cold = _timed(_engine, root, "--runner", "interpreter") if count in COLD_GROWTH else None
            check = _timed(_engine, root, "--check", "--no-run", expected=None)
            shown = f", cold {cold:.1f} s" if cold is not None else ""
            print(f"{count} snippets: check {check:.2f} s{shown}", flush=True)


def _measure(tool: Tool, root: Path) -> tuple[float, float, float]:
    _lay_out(root, tool, PAGES)
    cold = _timed(tool.build, root)
    unchanged = _timed(tool.build, root)
    _snippet(root, 7, edit=1)
    _page(root, tool, 7)
    return cold, unchanged, _timed(tool.build, root)


def _lay_out(root: Path, tool: Tool, count: int) -> None:
    for name in ("docs", "snippets/ch01"):
        (root / name).mkdir(parents=True)
    pins = [line for line in (ENGINE.parent / "requirements.txt").read_text("utf-8").split("\n") if "==" in line]
    (root / "requirements.txt").write_text("\n".join(pins), encoding="utf-8")
    config = _CONFIG.format(plugins=tool.plugin, snippets=root / "snippets")
    (root / "mkdocs.yml").write_text(config, encoding="utf-8")
    (root / "docs" / "index.md").write_text("# Bench\n", encoding="utf-8")
    (root / "docs" / "contents.md").write_text("# Contents\n", encoding="utf-8")
    if tool is OURS:
        shutil.copytree(ENGINE, root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    for number in range(count):
        _snippet(root, number, edit=0)
        _page(root, tool, number)


def _snippet(root: Path, number: int, edit: int) -> Path:
    path = root / "snippets" / "ch01" / f"s{number}.py"
    path.write_text(_PROGRAM.format(number=number, edit=edit), encoding="utf-8")
    return path


def _page(root: Path, tool: Tool, number: int) -> None:
    name, text = tool.page(number, root / "snippets" / "ch01" / f"s{number}.py")
    (root / "docs" / name).write_text(text, encoding="utf-8")


def _timed(call: Callable, *arguments, **keywords) -> float:
    start = time.perf_counter()
    call(*arguments, **keywords)
    return time.perf_counter() - start


def _run(command: list, root: Path, expected: int | None = 0, path: Path | None = None) -> None:
    environment = os.environ | {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": "", "NO_MKDOCS_2_WARNING": "1"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    if expected is not None and done.returncode != expected:
        raise RuntimeError(f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}")


def _mkdocs(root: Path) -> None:
    _run([sys.executable, "-m", "mkdocs", "build", "--quiet"], root)


def _engine(root: Path, *arguments: str, expected: int | None = 0) -> None:
    _run([sys.executable, "-m", "executed", *arguments], root, expected, path=root / "scripts")


def _each_in_a_fresh_python(root: Path) -> None:
    for path in sorted((root / "snippets" / "ch01").glob("*.py")):
        _run([sys.executable, path], root)
    _mkdocs(root)


def _included(number: int, path: Path) -> tuple[str, str]:
    return f"p{number}.md", f'# Page {number}\n\n```python\n--8<-- "ch01/s{number}.py"\n```\n'


def _ours(number: int, path: Path) -> tuple[str, str]:
    name, text = _included(number, path)
    return name, f'{text}\n{{{{ outputs("ch01/s{number}") }}}}\n'


def _markdown_exec(number: int, path: Path) -> tuple[str, str]:
    # A kernel needs a file, so the block runs one.
    block = f'```python exec="on" result="text"\nimport runpy\nrunpy.run_path({str(path)!r}, run_name="__main__")\n```\n'
    return f"p{number}.md", f"{_included(number, path)[1]}\n{block}"


def _notebook(number: int, path: Path) -> tuple[str, str]:
    return f"p{number}.py", f"# %% [markdown]\n# # Page {number}\n\n# %%\n{path.read_text('utf-8')}"


OURS = Tool("this engine", "hooks: [scripts/hooks.py]", _ours, _engine)
TOOLS = (
    Tool("bare site, nothing run", "", _included, _mkdocs),
    OURS,
    Tool("a fresh Python each, then the bare site", "", _included, _each_in_a_fresh_python),
    Tool("markdown-exec", "  - markdown-exec", _markdown_exec, _mkdocs, "markdown_exec"),
    Tool(
        "mkdocs-jupyter, executing",
        '  - mkdocs-jupyter:\n      include: ["p*.py"]\n      execute: true\n      allow_errors: false',
        _notebook, _mkdocs, "mkdocs_jupyter",
    ),
)


if __name__ == "__main__":
    main()
