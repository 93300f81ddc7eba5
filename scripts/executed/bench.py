"""Measure the engine on this machine, against other ways to put executed code on a page.

The same small book is built by each tool that is installed: cold, with nothing changed, and after
one snippet was edited. Everything is measured in one run, and every figure has its ratio beside it.
"""

import compileall
import importlib.util
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from executed.capture import read, write

ENGINE = Path(__file__).resolve().parents[1]
PAGES = 24
REPEATS = 5
ENOUGH = 20
"""Seconds after which a tool is not measured again."""
GROWTH = (25, 50, 100, 200, 400)
_MARKS = ("<!-- scripts/bench --readme -->", "<!-- end -->")

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
    rounds: dict[Tool, list[tuple[float, ...]]] = {}
    for tool in TOOLS:
        if tool.module and importlib.util.find_spec(tool.module) is None:
            print(f"{tool.name}: not installed")
        else:
            rounds[tool] = []
    # In turn, since a machine is now faster, now slower, for minutes.
    for _ in range(REPEATS):
        for tool, measured in rounds.items():
            if sum(map(sum, measured)) < ENOUGH:
                with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                    measured.append(_measure(tool, Path(folder)))
    seconds = {tool.name: tuple(map(statistics.median, zip(*measured))) for tool, measured in rounds.items()}
    for name, medians in seconds.items():
        print(f"{name}: {_fields(medians, '.2f', ' s')}", flush=True)
    _ratios(seconds)
    _live()
    _growth()


def table(printed: str) -> str:
    """The first section of a measurement as a Markdown table, for the README."""
    head, _, rest = printed.partition("== ratios ==")
    pages = re.search(r"^pages: (\d+)$", head, re.MULTILINE)[1]
    rows = re.findall(r"^(.+): cold (.+ s), unchanged (.+ s), edit (.+ s)$", head, re.MULTILINE)
    lines = [f"| {pages} pages, one program each | from nothing | nothing changed | one edit |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def write_readme(root: Path) -> None:
    """Put the committed measurement into the README, between its two marks."""
    readme = root / "README.md"
    measured = read(root / "snippets" / "engine" / "bench.bench.txt")
    before, begin, rest = readme.read_text("utf-8").partition(_MARKS[0])
    _, end, after = rest.partition(_MARKS[1])
    if measured is None or not begin or not end:
        raise SystemExit(f"scripts/bench: no capture of engine/bench, or not both of {_MARKS} in README.md")
    write(readme, f"{before}{begin}\n{table(measured.text)}{end}{after}")


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


def _live() -> None:
    print("== live preview ==")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder)
        _lay_out(root, OURS, PAGES)
        _engine(root)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        with (root / "mkdocs.yml").open("a", encoding="utf-8") as config:
            config.write(f"dev_addr: {address}\n")
        server = subprocess.Popen(
            [sys.executable, "-m", "executed", "--serve"], cwd=root, env=_environment(root / "scripts"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            page = f"http://{address}/p7/"
            _timed(_until, page, "sum:")
            time.sleep(5)  # Let the warm parents import what they need.
            told = root / "docs" / "p7.md"
            rebuild = _timed(_saved, told, told.read_text("utf-8") + "\nA word more.\n", page, "A word more.")
            edited = root / "snippets" / "ch01" / "s7.py"
            shown = _timed(_saved, edited, _PROGRAM.format(number=7, edit=1), page, f"{8 * sum(range(200)):.1f}")
        finally:
            server.terminate()
            server.wait()
    print(f"from save to screen: prose {rebuild:.2f} s, a program's output {shown:.2f} s", flush=True)


def _saved(path: Path, text: str, page: str, wanted: str) -> None:
    path.write_text(text, encoding="utf-8")
    _until(page, wanted)


def _until(page: str, wanted: str) -> None:
    for _ in range(3000):
        try:
            with urllib.request.urlopen(page, timeout=60) as answer:
                if wanted in answer.read().decode():
                    return
        except OSError:
            pass  # It does not listen yet.
        time.sleep(0.02)
    raise RuntimeError(f"{page} never showed {wanted!r}")


def _growth() -> None:
    print("== growth of the engine alone ==")
    checks, colds = {}, {}
    for count in GROWTH:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            root = Path(folder)
            _lay_out(root, OURS, count)
            # Before every check, which has captures to read then.
            colds[count] = _timed(_engine, root, "--runner", "interpreter")
            checks[count] = _timed(_engine, root, "--check", "--no-run", expected=None)
            print(f"{count} snippets: check {checks[count]:.2f} s, cold {colds[count]:.1f} s", flush=True)
    print(f"snippets of the largest book: {GROWTH[-1]}")
    print(f"check of the largest book: {checks[GROWTH[-1]]:.2f} s")
    print(f"each snippet more, check: {1000 * _slope(checks):.1f} ms")
    print(f"each snippet more, cold: {1000 * _slope(colds):.0f} ms")
    halves = [c for c in checks if c <= GROWTH[-1] // 2], [c for c in checks if c >= GROWTH[-1] // 2]
    bent = [_slope({c: checks[c] for c in half}) for half in halves]
    print(f"the same in the upper half over the lower: {bent[1] / bent[0]:.2f}")


def _slope(seconds: dict[int, float]) -> float:
    """Seconds a snippet: the line of least squares through what was measured."""
    return statistics.linear_regression(list(seconds), list(seconds.values())).slope


def _measure(tool: Tool, root: Path) -> tuple[float, ...]:
    """Seconds from nothing, with nothing changed, and after one edit."""
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
    if tool.module == "mkdocs_gallery":
        (root / "docs" / "gallery").mkdir()
        (root / "docs" / "gallery" / "README.md").write_text("# Gallery\n", encoding="utf-8")
    (root / "docs" / "contents.md").write_text("# Contents\n", encoding="utf-8")
    if tool is OURS:
        shutil.copytree(ENGINE, root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        # As pip does with the other tools.
        compileall.compile_dir(root / "scripts", quiet=1)
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
    done = subprocess.run(command, cwd=root, env=_environment(path), capture_output=True, text=True)
    if expected is not None and done.returncode != expected:
        raise RuntimeError(f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}")


def _environment(path: Path | None) -> dict[str, str]:
    common = {"TRITON_INTERPRET": "1", "CUDA_VISIBLE_DEVICES": "", "NO_MKDOCS_2_WARNING": "1"}
    # Where a user's programs keep what they write, not where the run of this one does.
    own = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    return own | common | ({"PYTHONPATH": str(path)} if path is not None else {})


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


def _gallery(number: int, path: Path) -> tuple[str, str]:
    docstring, _, code = path.read_text("utf-8").partition("\n\n")
    title = docstring.strip('"')
    return f"gallery/plot_{number}.py", f'"""\n{title}\n{"=" * len(title)}\n"""\n{code}'


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
    Tool(
        "mkdocs-gallery",
        "  - gallery:\n      examples_dirs: docs/gallery\n      gallery_dirs: docs/generated\n"
        "      abort_on_example_error: true\nnav:\n  - index.md\n  - Gallery: generated",
        _gallery, _mkdocs, "mkdocs_gallery",
    ),
)


if __name__ == "__main__":
    if sys.argv[1:] == ["--readme"]:
        write_readme(ENGINE.parent)
    elif sys.argv[1:]:
        sys.exit("usage: scripts/bench [--readme]")
    else:
        main()
