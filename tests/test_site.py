"""The site as a reader gets it: built in a clone of its own, then read file by file."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from executed import extract
from executed.capture import parse_capture
from executed.discover import discover
from executed.facts import launches
from executed.lint import pages

SOURCES = ("docs", "snippets", "scripts", "mkdocs.yml", "requirements.txt")


class Page(HTMLParser):
    """The links, ids, text and resources of one HTML file."""

    def __init__(self, path: Path):
        super().__init__()
        self.path = path
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.resources: list[str] = []
        self.headings: list[str] = []
        self.text = ""
        self.pres: list[str] = []
        self._open: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids |= {given["id"]} if given.get("id") else set()
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif given.get("src") or tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.resources.append(given.get("src") or given.get("href") or "")
        if tag in ("h1", "h2", "h3", "pre", "script", "style"):
            self._open.append(tag)
            if tag == "pre":
                self.pres.append("")
            elif tag[0] == "h":
                self.headings.append(tag)

    def handle_endtag(self, tag):
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data):
        if not {"script", "style"} & set(self._open):
            self.text += data
        if "pre" in self._open:
            self.pres[-1] += data


@pytest.fixture(scope="module")
def clone(root, tmp_path_factory) -> Path:
    """What a user has after ``git clone``, under a path that is hard on careless code."""
    target = tmp_path_factory.mktemp("home") / "a reader's «clone»"
    target.mkdir()
    for name in SOURCES:
        if (root / name).is_dir():
            shutil.copytree(root / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(root / name, target / name)
    return target


def engine(clone: Path, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=clone, capture_output=True, text=True, timeout=300,
        env=os.environ | {"PYTHONPATH": str(clone / "scripts"), "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.fixture(scope="module")
def site(clone) -> Path:
    """The built site of the clone."""
    done = engine(clone, "executed")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not run" not in done.stderr, "captures are stale, so the build ran snippets"
    return clone / "site"


@pytest.fixture(scope="module")
def html(site) -> dict[str, Page]:
    return {path.relative_to(site).as_posix(): Page(path) for path in sorted(site.rglob("*.html"))}


def test_every_page_is_built(html, root):
    for page in (root / "docs").glob("*.md"):
        assert f"{page.stem}.html" in html
    for chapter in ("ch02_parameterization", "ch12_elementwise"):
        assert f"notebooks/{chapter}.html" in html


def test_every_link_leads_somewhere(html, site):
    broken = []
    for name, page in html.items():
        if name == "404.html":
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            if target.is_dir():
                target /= "index.html"
            relative = target.relative_to(site.resolve()).as_posix() if target.exists() else None
            if relative is None or parts.fragment and unquote(parts.fragment) not in html[relative].ids | {"__top"}:
                broken.append(f"{name}: {link}")
    assert broken == []


def test_no_page_asks_another_host_for_anything(html, site):
    foreign = [f"{name}: {r}" for name, page in html.items() for r in page.resources if urlsplit(r).netloc]
    assert foreign == []
    for path in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", path.read_text("utf-8")), path


def test_each_page_has_one_title(html):
    for name, page in html.items():
        if name != "404.html" and not name.startswith("notebooks/"):
            assert page.headings.count("h1") == 1, name


def test_nothing_is_left_unexpanded(html):
    for name, page in html.items():
        prose = re.sub(r"\s+", " ", page.text)
        for leftover in ("{{", "--8<--", "executed-block-", "\\(", "\\["):
            outside = prose if leftover != "{{" else re.sub(r"f\"[^\"]*\"|f'[^']*'", "", prose)
            assert leftover not in outside, f"{name}: {leftover}"


def test_every_output_is_on_its_page(html, root):
    book = discover(root)
    for page in pages(book):
        shown = "\n".join(html[f"{page.path.stem}.html"].pres)
        for call in page.calls:
            if call.name != "outputs":
                continue
            snippet = book.snippets[call.arguments["snippet"]]
            wanted = call.arguments["runner"]
            for runner in [wanted] if wanted else snippet.settings.runners:
                path = snippet.capture_path(runner)
                text = parse_capture(path.read_text("utf-8"), path).text
                where = f"{page.path.name}: {snippet} ({runner})"
                if runner == "compiler" and snippet.shows_facts:
                    if not call.arguments["section"]:
                        titles = [launch.title for launch in launches(text)]
                        assert all(title in html[f"{page.path.stem}.html"].text for title in titles), where
                    continue
                if call.arguments["section"]:
                    text = extract.section(text, call.arguments["section"])
                assert text in shown, where


def test_formulas_are_mathml(html):
    assert "<math" in html["12-elementwise.html"].path.read_text("utf-8")
    assert not any('class="MathJax' in page.path.read_text("utf-8") for page in html.values())


def test_search_reads_what_a_program_printed_and_no_instructions(site):
    docs = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    found = "\n".join(entry["text"] for entry in docs)
    assert "max abs diff" in found
    for name in ("ptx", "replay", "plot"):
        assert f'class="{name}' in "".join(path.read_text("utf-8") for path in site.glob("*.html")), "it is shown"
    assert not re.search(r"executed-[0-9a-f]{16}|\.param \.u64|mov\.u32 %", found)


def test_programs_are_there_to_download_and_parse(site, root):
    book = discover(root)
    for snippet in book.snippets.values():
        text = (site / "programs" / snippet.chapter / snippet.file).read_text("utf-8")
        if snippet.is_python:
            compile(text, snippet.file, "exec")
        assert "--8<--" not in text and "/// capture" not in text


def test_a_second_build_runs_nothing_and_writes_nothing(clone, site):
    before = {path: path.stat().st_mtime_ns for path in clone.rglob("*")}
    done = engine(clone, "executed")
    assert done.returncode == 0
    assert "site: unchanged" in done.stdout and done.stderr == ""
    assert {path: path.stat().st_mtime_ns for path in clone.rglob("*")} == before


@pytest.fixture
def edited(clone, site):
    """A snippet of which one constant was changed, put back afterwards."""
    path = clone / "snippets/ch12_elementwise/fma_relu.py"
    old = path.read_text("utf-8")
    path.write_text(old.replace("BLOCK = 1024", "BLOCK = 512"), "utf-8")
    assert path.read_text("utf-8") != old
    yield path
    path.write_text(old, "utf-8")


@pytest.mark.parametrize(
    "command", [("executed", "--check", "--no-run"), ("mkdocs", "build", "--strict", "--site-dir", "elsewhere"),
                ("mkdocs", "build", "--strict", "--verbose", "--site-dir", "elsewhere")], ids=" ".join
)
def test_a_changed_constant_stops_every_way_to_publish(clone, edited, command):
    done = engine(clone, *command)
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "ch12_elementwise/fma_relu (interpreter) is stale" in said
    assert "docs/12-elementwise.md" in said
    assert "run: scripts/build ch12_elementwise/fma_relu" in said


def terms(page: Page) -> list[tuple[str, str]]:
    """Of each marked word of a page, the number of its section and where it leads."""
    pieces = re.split(r"<h2\b", page.path.read_text("utf-8"))
    return [
        (str(number), link)
        for number, piece in enumerate(pieces) for link in re.findall(r'<a class="term" href="([^"]*)"', piece)
    ]


def test_a_term_is_marked_once_in_a_section(html):
    for name, page in html.items():
        found = terms(page)
        twice = [mark for mark in found if "glossary.html#" in mark[1] and found.count(mark) > 1]
        assert twice == [], name
    for chapter in ("02-kernel-parameterization.html", "12-elementwise.html"):
        assert len(terms(html[chapter])) > 20


def test_every_term_is_marked_somewhere_and_none_where_it_is_explained(html):
    leads = {link for page in html.values() for _, link in terms(page)}
    entries = {name for name in html["glossary.html"].ids if name.startswith("term-")}
    assert {f"glossary.html#{name}" for name in entries} <= leads
    for name in ("glossary.html", "ledger.html", "kernels.html", "api.html", "contents.html"):
        assert terms(html[name]) == []


def test_every_kernel_is_listed_with_its_program(html, root):
    text = html["kernels.html"].path.read_text("utf-8")
    for snippet in discover(root).snippets.values():
        kernels = [
            node.name for node in ast.walk(ast.parse(snippet.text)) if isinstance(node, ast.FunctionDef)
            and any("triton.jit" in ast.unparse(d) for d in node.decorator_list)
        ] if snippet.is_python else []
        for kernel in kernels:
            assert f'id="kernel-{snippet.name.replace("/", "-")}-{kernel}"' in text
        if kernels:
            assert f'href="programs/{snippet.name}.py"' in text


def test_every_name_in_a_listing_is_in_the_index(html):
    for chapter in (page for name, page in html.items() if name[:2].isdigit()):
        listed = re.findall(r'<code>(.*?)</code></span></pre></div>', chapter.path.read_text("utf-8"), re.DOTALL)
        code = "\n".join(re.sub(r"<[^>]+>", "", listing) for listing in listed)
        used = set(re.findall(r"(?<![\w.\"'])tl\.(?:\w+\.)*\w+(?=\()", re.sub(r"#.*", "", code)))
        assert {f"api-{name}" for name in used} <= html["api.html"].ids
        assert chapter.path.name[:2] not in ("02", "12") or len(used) > 5
