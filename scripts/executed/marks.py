"""Link what the running text of a page uses to where it is explained: terms, and names of Triton's API."""

import re
from collections.abc import Iterable, Iterator

from executed import glossary
from executed.context import Context
from executed.index import index
from executed.prose import Link, Run, link, runs

_NAME = re.compile(r"<code[^>]*>@?(?P<name>(?:tl|triton)(?:\.\w+)+)(?:\([^<]*\))?</code>")


def mark(page: str, path: str, context: Context) -> str:
    """Mark the HTML of a page; ``path`` is that of the page, below ``docs/``."""
    found = tuple(runs(page))
    entries = _entries(context)
    terms = glossary.links(page, found, entries, context.address(glossary.PAGE)) if entries else ()
    return link(page, [*terms, *_names(page, found, path, context)])


def _names(page: str, found: Iterable[Run], path: str, context: Context) -> Iterator[Link]:
    """Lead each name, once in a section, to the section that teaches it, unless that is the one."""
    names = index(context).names
    seen: set[tuple[int, str]] = set()
    for run in found:
        match = _NAME.fullmatch(page, run.start, run.end) if run.kind == "code" and run.section else None
        name = names.get(match["name"]) if match else None
        if name is None or (run.section, name.name) in seen:
            continue
        seen.add((run.section, name.name))
        place = name.taught
        if (place.page, place.part) != (path, run.section):
            yield Link(run.start, run.end, place.address(context), f"{name.name}: {place.title}")


def _entries(context: Context) -> list[glossary.Entry]:
    memory = context.repository.memory
    if "glossary" not in memory:
        path = context.repository.docs / glossary.PAGE
        memory["glossary"] = glossary.read(path.read_text("utf-8")) if path.is_file() else []
    return memory["glossary"]
