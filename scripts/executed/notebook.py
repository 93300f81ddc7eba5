"""Make a notebook of a chapter's program, with what the program printed under each cell."""

import ast
import json

from executed.assemble import program
from executed.capture import Capture, CaptureError, read
from executed.compare import compare
from executed.discover import Repository
from executed.snippet import Snippet, SnippetError

# A hosted notebook may have no GPU; the choice must be made before triton is imported.
_FIRST = """\
import os

import torch

if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"
"""


def of_chapter(repository: Repository, snippet: Snippet) -> str | None:
    """The notebook of a chapter's program; None where it or a part of it lacks a capture.

    Raises ``SnippetError`` as ``notebook`` does.
    """
    runner = snippet.settings.runners[0]
    try:
        whole = read(snippet.capture_path(runner))
        parts = {part.name: read(part.capture_path(runner)) for part in repository.parts(snippet)}
    except CaptureError:
        return None
    if whole is None or None in parts.values():
        return None
    return notebook(repository, snippet, whole, parts)


def notebook(repository: Repository, snippet: Snippet, capture: Capture, parts: dict[str, Capture]) -> str:
    """Render the notebook as JSON text.

    ``parts`` are the captures of the bundled snippets, by name: they say how many lines of
    ``capture`` each cell printed. Raises ``SnippetError`` where the program does not print what its
    parts print, one after the other.
    """
    whole = program(repository, snippet)
    title, _, rest = (ast.literal_eval(whole.docstring) if whole.docstring else "").strip().partition("\n")
    cells = [
        _markdown(f"# {title.rstrip('.')}\n\n{rest.strip()}\n\n{_origin(capture)}"),
        _code(_FIRST),
        _code(whole.imports),
    ]
    lines = capture.text.split("\n")
    for cell in whole.cells:
        alone = parts[cell.snippet.name].text
        count = alone.count("\n")
        printed, lines = "".join(f"{line}\n" for line in lines[:count]), lines[count:]
        if compare(alone, printed, cell.snippet.settings.labels).changed:
            raise SnippetError(
                f"{snippet.path}: {cell.snippet.name} prints something else in this program than alone; "
                "do its parts share state?"
            )
        cells += [_markdown(f"## {cell.title}"), _code(cell.code, printed)]
    if lines != [""]:
        raise SnippetError(f"{snippet.path}: the program prints more than its parts together")
    document = {
        "cells": [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _origin(capture: Capture) -> str:
    return f"Outputs: {capture.runner}, {capture.device}, {capture.versions}."


def _markdown(text: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": text.strip().splitlines(True)}


def _code(text: str, printed: str = "") -> dict:
    outputs = []
    if printed:
        outputs = [{"name": "stdout", "output_type": "stream", "text": printed.splitlines(True)}]
    source = text.strip("\n").splitlines(True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs, "source": source}
