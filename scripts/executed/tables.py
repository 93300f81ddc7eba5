"""The blocks that the engine makes of the book as a whole: chapters, downloads, the ledger, the index."""

import html
from collections.abc import Iterable, Iterator
from itertools import groupby

from executed.agree import agreement, printed
from executed.context import Context, notebook_page_path, notebook_path, program_path, runner_title
from executed.directives import Call
from executed.discover import Repository
from executed.index import Kernel, Name, Place, index
from executed.lint import Page, count_numbers, pages
from executed.resolve import ratio, snippet_of
from executed.runners import RUNNERS
from executed.snippet import Snippet, SnippetError
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
    """One row for every capture of the book."""
    heads = ["Snippet", "Shown on", "Runner", "Device", "Versions", "Agreement", "Digest", "State"]
    return _table("ledger", heads, list(_captures(context, pages(context.repository))))


def numbers(context: Context) -> str:
    """One row for every page that shows numbers: how many, by source."""
    counts = []
    for page in pages(context.repository):
        found = count_numbers(context.repository, page)
        if any(found.values()):
            counts.append([_link(page, context), *(str(found[source]) for source in Source)])
    return _table("numbers", ["Page", *(source.value for source in Source)], counts)


def speeds(context: Context) -> str:
    """One row for every speed that a snippet declares: its ratio to its library, and to its ceiling."""
    repository, read = context.repository, pages(context.repository)
    rows = []
    for name, snippet in repository.snippets.items():
        for speed in snippet.settings.speeds:
            ratios = (ratio(repository, snippet, source) for source in (speed.over_library, speed.of_ceiling))
            library, ceiling = ("?" if number is None else f"{number:.2f}" for number in ratios)
            rows.append([
                f'<a href="#{name}-gpu">{html.escape(speed.name)}</a>',
                ", ".join(_link(page, context) for page in read if _shows(context, page, snippet)),
                library, html.escape(speed.library), ceiling, html.escape(speed.ceiling),
            ])
    return _table("speeds", ["Kernel", "Shown on", "Over library", "Library", "Of ceiling", "Ceiling"], rows)


def kernels(context: Context) -> str:
    """Every kernel of the snippets: what it does, where it is shown, who captured it, and its program."""
    groups: dict[str, list[str]] = {}
    captured = _captured(context)
    alike = groupby(index(context).kernels, key=lambda kernel: (kernel.snippet.name, kernel.does, kernel.places))
    for _, several in alike:
        kernels = list(several)
        groups.setdefault(_chapter(kernels[0].snippet, context), []).append(_kernels(kernels, captured, context))
    return _reference(groups)


def api(context: Context) -> str:
    """Every name of Triton's API in a listing: the section that teaches it, and those that use it."""
    groups: dict[str, list[str]] = {}
    for name in index(context).names.values():
        groups.setdefault(f"<code>{name.name.partition('.')[0]}</code>", []).append(_name(name, context))
    return _reference(groups)


def _captured(context: Context) -> dict[str, dict[str, str]]:
    """Of each snippet, the runners that captured it or a program that it is a part of, and their titles."""
    found: dict[str, dict[str, str]] = {}
    for user in context.repository.snippets.values():
        captures = {runner: context.look(user, runner).recorded for runner in user.settings.runners}
        titles = {runner: runner_title(runner, capture) for runner, capture in captures.items() if capture}
        try:
            parts = (user, *context.repository.closure(user))
        except SnippetError:
            parts = (user,)  # Already among the repository's errors.
        for part in parts:
            found.setdefault(part.name, {}).update(titles)
    return found


def _kernels(kernels: list[Kernel], captured: dict[str, dict[str, str]], context: Context) -> str:
    """Kernels of one program of which the same can be said."""
    snippet, places = kernels[0].snippet, kernels[0].places
    facts = [f"Shown in {_places(places, context)}"] if places else []
    titles = [captured[snippet.name][runner] for runner in RUNNERS if runner in captured[snippet.name]]
    facts.append(", ".join(map(html.escape, titles)) or "not captured yet")
    facts.append(f'<a download href="{context.address(program_path(snippet))}">{snippet.file}</a>')
    heads = ""
    for kernel in kernels:
        kind = ' <span class="reference__kind">called by kernels</span>' if kernel.helper else ""
        heads += (
            f'<dt id="kernel-{snippet.name.replace("/", "-")}-{kernel.name}"><code>{kernel.name}</code> '
            f'<code class="reference__takes">({", ".join(kernel.parameters)})</code>{kind}</dt>'
        )
    return f'{heads}<dd>{html.escape(kernels[0].does)}</dd><dd class="reference__facts">{" · ".join(facts)}</dd>'


def _name(name: Name, context: Context) -> str:
    uses = [place for place in name.places if place != name.taught]
    also = f'<dd class="reference__facts">Used in {_places(uses, context, short=True)}</dd>' if uses else ""
    return (
        f'<dt id="api-{name.name}"><code>{name.name}</code></dt>'
        f"<dd>{_places([name.taught], context)}</dd>{also}"
    )


def _places(places: Iterable[Place], context: Context, *, short: bool = False) -> str:
    """Links to sections: by title, or by number alone, each number once."""
    links: dict[str, str] = {}
    for place in places:
        words = place.number if short else place.title
        title = f' title="{html.escape(place.title)}"' if short else ""
        links.setdefault(words, f'<a href="{place.address(context)}"{title}>{html.escape(words)}</a>')
    return ", ".join(links.values())


def _reference(groups: dict[str, list[str]]) -> str:
    # A search that lists every section of the book for each name would bury the one that teaches it.
    lists = "".join(f'<h2>{head}</h2><dl class="reference">{"".join(rows)}</dl>' for head, rows in groups.items())
    return f"<section data-search-exclude>{lists}</section>"


def _chapter(snippet: Snippet, context: Context) -> str:
    """The chapter that a snippet belongs to, as ``snippets/chNN_…`` says."""
    titles = {f"ch{number:02}": f"{number}. {title}" for number, title, _ in context.chapters}
    return html.escape(titles.get(snippet.chapter.partition("_")[0], snippet.chapter))


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
    return any(page.uses(name) for name in (snippet.name, *_wholes(context.repository).get(snippet.name, ())))


def _wholes(repository: Repository) -> dict[str, list[str]]:
    """Of each snippet that a chapter's program bundles, the names of those programs."""
    if "wholes" not in repository.memory:
        found = repository.memory["wholes"] = {}
        for whole in repository.snippets.values():
            for part in repository.parts(whole):
                found.setdefault(part.name, []).append(whole.name)
    return repository.memory["wholes"]


def _link(page: Page, context: Context) -> str:
    relative = page.path.relative_to(context.repository.docs)
    number = relative.stem.partition("-")[0]
    title = f"chapter {int(number)}" if number.isdigit() else relative.stem
    return f'<a href="{context.address(relative.as_posix())}">{html.escape(title)}</a>'


def _table(name: str, heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{head}</th>" for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="{name}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
