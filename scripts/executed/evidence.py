"""The blocks that show what a program printed, what its kernels compiled to, and on what."""

import html
from collections.abc import Mapping, Sequence, Set

from executed import plots
from executed.agree import Agreement, agreement_of
from executed.assemble import kernel_source
from executed.capture import Capture
from executed.context import Context, complaint, program_path, runner_title
from executed.contrast import Span, contrast
from executed.directives import Call
from executed.facts import Launch, launches
from executed.index import index
from executed.resolve import captures, kernel_of, launch_of, plotted, shown_runners, snippet_of, text_of
from executed.runners import RUNNERS
from executed.snippet import Snippet

Wanted = Mapping[str, Set[int]]
"""Runner to the lines, from 1, that something on the page links to."""


def outputs(call: Call, context: Context, anchor: str, wanted: Wanted) -> tuple[str, list[str]]:
    """The evidence block of a snippet: a panel for each output, and whose it is.

    The panels stand one below another, each under the names of its runners; ``evidence.js`` makes
    tabs of them. Returns its HTML, and what a strict build must refuse. Raises ``DirectiveError``.
    """
    snippet = snippet_of(context.repository, call)
    found = captures(context.repository, call)
    runners = [call.arguments["runner"]] if call.arguments["runner"] else shown_runners(snippet, call)
    verdicts = {runner: context.look(snippet, runner) for runner in runners}
    texts = {runner: text_of(found[runner], call) for runner in runners if runner in found and snippet.prints(runner)}
    marks = _marks(texts, snippet)
    groups = _grouped(runners, texts)
    panels = ""
    for group in groups:
        body = "".join(badge(complaint(verdicts[runner])) for runner in group if not verdicts[runner].fresh)
        known = [found[runner] for runner in group if runner in found]
        if known:
            lines = {n for runner in group for n in wanted.get(runner, ())}
            body += _printed(known[0], call, snippet, anchor, lines, marks.get(group[0], []))
            body += "".join(foot(capture, snippet, context) for capture in known)
        names = " ".join(
            f'<span class="evidence__runner" data-runner="{runner}">{html.escape(runner_title(runner, found.get(runner)))}</span>'
            for runner in group
        )
        panels += f'<div class="evidence__panel"><div class="evidence__head">{names}</div>{body}</div>'
    agreed = agreement_of(list(texts.values()), snippet)
    bar = _agreed(agreed, [runner_title(runner, found[runner]) for runner in texts])
    if agreed is Agreement.ON_PURPOSE:
        panels += f'<div class="evidence__why">{html.escape(snippet.settings.differs)}</div>'
    several = " evidence--several" if len(runners) > 1 else ""
    said = [complaint(verdict) for verdict in verdicts.values() if not verdict.fresh]
    return f'<div class="evidence{several}" id="{anchor}" data-snippet="{snippet}" data-runners="{" ".join(runners)}">{bar}{panels}</div>', said


def ptx(call: Call, context: Context) -> tuple[str, list[str]]:
    """Kernel source, and under each line the instructions that came of it, folded. Returns as ``outputs``."""
    snippet = snippet_of(context.repository, call)
    verdict = context.look(snippet, "compiler")
    said = [] if verdict.fresh else [complaint(verdict)]
    found = captures(context.repository, call)
    if not found:
        return badge(complaint(verdict)), said
    launch = launch_of(found["compiler"], call)
    rows = []
    for number, line in enumerate(kernel_source(context.repository, snippet, launch.kernel), start=1):
        instructions = "\n".join(text for at, text in launch.ptx if at == number)
        made = f'<span class="ptx__made">{html.escape(instructions, quote=False)}</span>' if instructions else ""
        rows.append(f'<span class="ptx__line">{html.escape(line, quote=False) or " "}</span>{made}')
    return (
        f'<details class="ptx"><summary><code>{html.escape(launch.title)}</code>: '
        f'each line, and the PTX for sm_90 that came of it</summary>{"".join(map(badge, said))}'
        f"<pre><code>{''.join(rows)}</code></pre>"
        f'{foot(found["compiler"], snippet, context)}</details>'
    ), said


def plot(call: Call, context: Context, anchor: str) -> tuple[str, list[str]]:
    """A drawing of captured numbers, with those numbers in a folded table. Returns as ``outputs``."""
    found = plotted(context.repository, call)
    verdicts = [context.look(snippet, runner) for snippet, runner in found.sources]
    said = [complaint(verdict) for verdict in verdicts if not verdict.fresh]
    body = "".join(map(badge, said))
    if found.chart is not None:
        links = _links(found.chart, context) if found.chart.kind == "points" else {}
        body += (
            f"<figcaption>{html.escape(found.chart.title)}</figcaption>{plots.legend(found.chart)}"
            f"{plots.svg(found.chart, anchor, links)}"
            '<details class="plot__numbers"><summary>The numbers</summary><div class="plot__scroll" tabindex="0" '
            f'role="group" aria-label="The numbers">{plots.table(found.chart, links)}</div></details>'
        )
        body += "".join(
            foot(capture, snippet, context) for capture, (snippet, _) in zip(found.captures, found.sources)
        )
    return f'<figure class="evidence plot" id="{anchor}">{body}</figure>', said


def _links(chart: plots.Chart, context: Context) -> dict[str, plots.Link]:
    """Where the points of a chart lead: to the first section that shows a kernel, else to its chapter."""
    places = {(kernel.snippet.name, kernel.name): kernel.places for kernel in index(context).kernels}
    pages = {f"ch{number:02}": (title, page) for number, title, page in context.chapters if page}
    links = {}
    for point in (point for series in chart.series for point in series.points):
        snippet, name = kernel_of(context.repository, point.label)
        shown = places.get((snippet.name, name))
        if shown:
            links[point.label] = plots.Link(shown[0].address(context), shown[0].title)
        elif page := pages.get(point.label.partition(".")[0]):
            links[point.label] = plots.Link(context.address(page[1]), page[0])
    return links


def badge(text: str) -> str:
    """A note on a block that something is wrong with."""
    return f'<div class="evidence__badge">{html.escape(text)}</div>'


def line_id(anchor: str, line: int) -> str:
    """The id of a line of a block that something links to."""
    return f"{anchor}-{line}"


def _grouped(runners: list[str], texts: Mapping[str, str]) -> list[list[str]]:
    """The runners in groups that printed the same; one that printed nothing of the program's stands alone."""
    groups: dict[str, list[str]] = {}
    for runner in runners:
        groups.setdefault(f"printed {texts[runner]}" if runner in texts else runner, []).append(runner)
    return list(groups.values())


def _marks(texts: Mapping[str, str], snippet: Snippet) -> dict[str, list[list[Span]]]:
    """For each runner, the stretches of its lines that differ: from the first runner, or the first's from any."""
    first, *others = texts or [None]
    marks: dict[str, list[list[Span]]] = {}
    for other in others:
        mine, theirs = contrast(texts[first], texts[other], snippet.settings.labels)
        marks[other] = theirs
        before = marks.get(first, [[] for _ in mine])
        marks[first] = [there if not new else new for there, new in zip(before, mine)]
    return marks


def _printed(
    capture: Capture, call: Call, snippet: Snippet, anchor: str, wanted: Set[int], marks: Sequence[Sequence[Span]]
) -> str:
    if capture.runner == "compiler" and snippet.shows_facts:
        told = "".join(map(_launch, launches(capture.text)))
        return told or f'<div class="facts"><p>{html.escape(capture.text)}</p></div>'
    lines = text_of(capture, call).split("\n")
    shown = [_marked(line, spans) for line, spans in zip(lines, marks or [()] * len(lines))]
    for number in wanted:
        # The runner keeps apart the panels of one block.
        shown[number - 1] = f'<span id="{line_id(f"{anchor}-{capture.runner}", number)}">{shown[number - 1]}</span>'
    text = "\n".join(shown)
    # Sample output, not code: the theme would give each a script of its own.
    return f'<div class="evidence__output"><pre><samp>{text}</samp></pre></div>'


def _marked(line: str, spans: Sequence[Span]) -> str:
    shown, position = "", 0
    for start, end in spans:
        shown += html.escape(line[position:start], quote=False)
        shown += f'<mark class="evidence__diff">{html.escape(line[start:end], quote=False)}</mark>'
        position = end
    return shown + html.escape(line[position:], quote=False)


def _launch(launch: Launch) -> str:
    """The facts of one launch as a small table, then what rejected it and why."""
    taken = {target: row for target, row in launch.facts.items() if target not in launch.rejections}
    names = next(iter(taken.values()), {})
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ("target", *names))
    rows = "".join(
        f"<tr><td>{target}</td>" + "".join(f"<td>{html.escape(value)}</td>" for value in row.values()) + "</tr>"
        for target, row in taken.items()
    )
    shown = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if taken else ""
    for message in dict.fromkeys(launch.rejections.values()):
        targets = ", ".join(target for target, said in launch.rejections.items() if said == message)
        shown += f'<p class="facts__rejected">Rejected for {targets}:</p><pre><samp>{html.escape(message.rstrip(), quote=False)}</samp></pre>'
    return (
        f'<div class="facts"><p><code>{html.escape(launch.title)}</code> '
        f'<span class="facts__launch">{html.escape(launch.launch)}</span></p>{shown}</div>'
    )


def _agreed(agreed: Agreement, titles: list[str]) -> str:
    """The mark that says whether the runners agree; empty where there is nothing to compare."""
    names = html.escape(" and ".join(titles))
    kind, sign, said = {
        Agreement.ALONE: ("alone", "", ""),
        Agreement.SAME: ("same", "✓", f"{names} print the same"),
        Agreement.WITHIN: ("same", "≈", f"{names} agree, but for rounding"),
        Agreement.ON_PURPOSE: ("differs", "≠", f"{names} differ where marked"),
        Agreement.UNEXPLAINED: ("differs", "≠", f"{names} differ where marked"),
    }[agreed]
    shown = f'<div class="evidence__agree evidence__agree--{kind}"><span aria-hidden="true">{sign}</span> {said}</div>'
    return f'<div class="evidence__bar">{shown if said else ""}</div>'


def foot(capture: Capture, snippet: Snippet, context: Context) -> str:
    """The line under a block that says what made it, with how to make it again folded away."""
    facts = [capture.device, *capture.versions.split(", "), f"exit {capture.exit}"]
    program = f'<a download href="{context.address(program_path(snippet))}">{snippet.file}</a>'
    return (
        f'<div class="evidence__foot" data-runner="{capture.runner}" data-search-exclude>'
        f'<div>{" · ".join(map(html.escape, facts))} · {program}</div>'
        f'<details class="evidence__again"><summary>Reproduce</summary><div>{_commands(capture, snippet)}</div></details></div>'
    )


def _commands(capture: Capture, snippet: Snippet) -> str:
    """The commands that run a program as a capture's runner did. No listing: a page has a hundred of them."""
    runner = RUNNERS[capture.runner]
    if capture.runner in ("compiler", "replay"):
        return f"In a copy of the book's repository:<br><code>scripts/build --force --runner {capture.runner} {snippet}</code>"
    versions = (item.split(" ") for item in capture.versions.split(", "))
    pins = [f"{name}=={version}" for name, version in versions if name in runner.packages]
    return "<br>".join(f"<code>{html.escape(line)}</code>" for line in (f"pip install {' '.join(pins)}", f"{runner.command} {snippet.file}"))
