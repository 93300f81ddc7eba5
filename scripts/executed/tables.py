"""The blocks that the engine makes of the book as a whole: chapters, downloads, the ledger."""

import html
from collections.abc import Iterator

from executed.agree import agreement, printed
from executed.context import Context, notebook_page_path, notebook_path, program_path
from executed.directives import Call
from executed.lint import Page, count_numbers, pages
from executed.resolve import snippet_of
from executed.runners import RUNNERS
from executed.snippet import Snippet
from executed.sources import Source


def program(call: Call, context: Context) -> str:
    """The downloads of a chapter's program. Raises ``DirectiveError``."""
    snippet = snippet_of(context.repository, call)
    links = (
        f'<a class="md-button" download href="{context.address(program_path(snippet))}">{snippet.file}</a> '
        f'<a class="md-button" download href="{context.address(notebook_path(snippet))}">{snippet.chapter}.ipynb</a> '
        f'<a class="md-button" href="{context.address(notebook_page_path(snippet))}">Read the notebook</a>'
    )
    command = f"{RUNNERS[snippet.settings.runners[0]].command} {snippet.file}"
    return f'<div class="program"><p>{links}</p><p><code>{command}</code></p></div>'


def chapters(context: Context) -> str:
    """The contents of the book, with each chapter's state."""
    rows = []
    for number, title, page in context.chapters:
        link = context.address(page) if page else f"{context.address('contents.md')}#chapter-{number}"
        state = "complete" if page else "planned"
        rows.append([
            str(number), f'<a href="{link}">{html.escape(title)}</a>',
            f'<span class="state state--{state}">{state}</span>',
        ])
    return _table("chapters", ["Chapter", "Title", "State"], rows)


def ledger(context: Context) -> str:
    """One row for every page and its numbers by source, then one for every capture of the book."""
    read = pages(context.repository)
    counts = []
    for page in read:
        found = count_numbers(context.repository, page)
        if any(found.values()):
            counts.append([_link(page, context), *(str(found[source]) for source in Source)])
    numbers = _table("numbers", ["Page", *(source.value for source in Source)], counts)
    heads = ["Snippet", "Shown on", "Runner", "Device", "Versions", "Agreement", "Digest", "State"]
    return numbers + _table("ledger", heads, list(_captures(context, read)))


def _captures(context: Context, read: list[Page]) -> Iterator[list[str]]:
    repository = context.repository
    for name, snippet in repository.snippets.items():
        agreed = agreement(snippet, printed(repository, snippet)).value
        shown = ", ".join(_link(page, context) for page in read if _shows(context, page, snippet))
        for runner in snippet.settings.runners:
            verdict = context.look(snippet, runner)
            capture = verdict.recorded
            yield [
                f'<a id="{name}-{runner}" href="{context.address(program_path(snippet))}">{name}</a>',
                shown,
                runner,
                html.escape(capture.device) if capture else "",
                html.escape(capture.versions) if capture else "",
                agreed,
                f"<code>{capture.source.removeprefix('sha256:')[:12]}</code>" if capture else "",
                verdict.state.value,
            ]
        if snippet.settings.no_gpu:
            link = f'<a href="{context.address(program_path(snippet))}">{name}</a>'
            yield [link, shown, "gpu", html.escape(snippet.settings.no_gpu), "", agreed, "", "none, on purpose"]


def _shows(context: Context, page: Page, snippet: Snippet) -> bool:
    """Whether a page shows a snippet, or a chapter's program that it is a part of."""
    wholes = [s for s in context.repository.snippets.values() if snippet in context.repository.parts(s)]
    return any(page.uses(whole.name) for whole in (snippet, *wholes))


def _link(page: Page, context: Context) -> str:
    relative = page.path.relative_to(context.repository.docs)
    number = relative.stem.partition("-")[0]
    title = f"chapter {int(number)}" if number.isdigit() else relative.stem
    return f'<a href="{context.address(relative.as_posix())}">{html.escape(title)}</a>'


def _table(name: str, heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{head}</th>" for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="{name}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
