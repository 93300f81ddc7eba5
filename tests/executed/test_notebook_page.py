"""A notebook page loads nothing from elsewhere, runs nothing, and keeps all of its text."""

import json
import re
from pathlib import Path

import pytest
from executed.notebook_page import headings, notebook_page, plain_notebook

SOURCE = 'print("<script src=\'https://example.invalid/x.js\'></script>")  # a & b'
OUTPUT = "== 12.1.1 ==\nmax abs diff: 1e-07\n<style> & </style>\n"


def cell(kind: str, source: str, **more: object) -> dict:
    return {"cell_type": kind, "id": f"a-{kind}-cell", "metadata": {}, "source": source, **more}


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What mkdocs-jupyter makes of a small notebook, before our function sees it."""
    convert = pytest.importorskip("mkdocs_jupyter.convert")
    streams = [
        {"output_type": "stream", "name": "stdout", "text": OUTPUT},
        {"output_type": "stream", "name": "stderr", "text": "a warning\n"},
    ]
    notebook = {
        "cells": [
            cell("markdown", "# A chapter in one program\n\nWith `code`, and\n\n```python\nx = 1\n```\n"),
            cell("code", SOURCE, execution_count=1, outputs=streams),
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path: Path = tmp_path_factory.mktemp("notebook") / "chapter.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return convert.nb2html(str(path), custom_mathjax_url="")


def test_the_template_still_brings_what_has_to_go(rendered):
    """When this fails, mkdocs-jupyter no longer needs ``plain_notebook`` for it."""
    assert "cdnjs.cloudflare.com" in rendered
    assert len(rendered) > 500_000


def test_nothing_is_loaded_and_nothing_runs(rendered):
    page = plain_notebook(rendered)
    assert not re.search(r"<(script|style|link|iframe|img)\b", page, re.IGNORECASE)
    assert not re.search(r"<[^>]*\b(src|href)\s*=\s*[\"']?\s*(https?:)?//", page)
    assert "cdnjs" not in page
    assert len(page) < 10_000


def test_text_stays_and_stands_once(rendered):
    page = plain_notebook(rendered)
    text = re.sub(r"<[^>]+>", "", page)
    for kept in ("A chapter in one program", "x = 1", "== 12.1.1 ==", "max abs diff: 1e-07", "a warning"):
        assert text.count(kept) == 1, kept
    assert text.count("example.invalid") == 1
    assert "&lt;style&gt; &amp; &lt;/style&gt;" in text


def test_code_has_the_markup_of_the_other_pages(rendered):
    page = plain_notebook(rendered)
    assert "highlight-ipynb" not in page and "clipboard-copy" not in page
    assert page.count("<pre>") == page.count("<code>") - page.count("<p>With <code>") == page.count("</pre>")
    assert '<div class="highlight hl-python"><pre><code>' in page


def test_headings_lead_to_their_places(rendered):
    page = plain_notebook(rendered + '<h2 id="b-c">B &amp; <code>c</code><a class="anchor-link" href="#b-c">¶</a></h2>')
    (chapter,) = headings(page)
    assert (chapter["level"], chapter["name"]) == (1, "A chapter in one program")
    assert [(h["level"], h["id"], h["name"], h["children"]) for h in chapter["children"]] == [(2, "b-c", "B & c", [])]
    assert all(f'id="{heading["id"]}"' in page for heading in (chapter, *chapter["children"]))


def test_a_notebook_is_rendered_once(tmp_path, monkeypatch):
    convert = pytest.importorskip("mkdocs_jupyter.convert")
    calls = []
    monkeypatch.setattr(convert, "nb2html", lambda path, **_: calls.append(path) or f"<h1 id='a'>{len(calls)}</h1>")
    kept = tmp_path / "kept" / "ch01.html"
    first = notebook_page("{}", kept)
    assert notebook_page("{}", kept) == first and len(calls) == 1
    assert notebook_page('{"cells": []}', kept) != first
    kept.write_text("spoilt")
    assert notebook_page("{}", kept) == "<h1 id='a'>3</h1>"


def test_a_second_pass_changes_nothing(rendered):
    page = plain_notebook(rendered)
    assert plain_notebook(page) == page
