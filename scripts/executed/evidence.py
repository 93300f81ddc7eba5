"""The blocks that show what a program printed, what its kernels compiled to, and on what."""

import html
from collections.abc import Mapping, Set

from executed import plots
from executed.assemble import kernel_source
from executed.capture import Capture
from executed.context import Context, complaint, program_path, runner_title
from executed.directives import Call
from executed.facts import Launch, launches
from executed.resolve import captures, launch_of, plotted, shown_runners, snippet_of, text_of
from executed.runners import RUNNERS
from executed.snippet import Snippet

Wanted = Mapping[str, Set[int]]
"""Runner to the lines, from 1, that something on the page links to."""


def outputs(call: Call, context: Context, anchor: str, wanted: Wanted) -> tuple[str, list[str]]:
    """The evidence block of a snippet: one panel where all runners printed the same, else tabs.

    Returns its HTML, and what a strict build must refuse. Raises ``DirectiveError``.
    """
    snippet = snippet_of(context.repository, call)
    found = captures(context.repository, call)
    runners = [call.arguments["runner"]] if call.arguments["runner"] else shown_runners(snippet, call)
    verdicts = {runner: context.look(snippet, runner) for runner in runners}
    panels = []
    for group in _grouped(runners, found, call, snippet):
        titles = [runner_title(runner, found.get(runner)) for runner in group]
        body = "".join(badge(complaint(verdicts[runner])) for runner in group if not verdicts[runner].fresh)
        known = [found[runner] for runner in group if runner in found]
        if known:
            body += _printed(known[0], call, snippet, anchor, {n for runner in group for n in wanted.get(runner, ())})
            body += "".join(foot(capture, snippet, context) for capture in known)
        panels.append((titles, body))
    if len(panels) == 1:
        (titles, body), = panels
        inner = f'<div class="evidence__head">{_runner(titles)}{_agreed(titles)}</div>{body}'
    else:
        tabs = [(", ".join(titles), _agreed(titles) + body) for titles, body in panels]
        inner = _tabs(tabs, f"__tabbed_{anchor}")
        if snippet.settings.differs and not call.arguments["runner"]:
            inner += f'<div class="evidence__why">{html.escape(snippet.settings.differs)}</div>'
    said = [complaint(verdict) for verdict in verdicts.values() if not verdict.fresh]
    return f'<div class="evidence" id="{anchor}" data-snippet="{snippet}">{inner}</div>', said


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
        body += (
            f"<figcaption>{html.escape(found.chart.title)}</figcaption>{plots.legend(found.chart)}"
            f"{plots.svg(found.chart, anchor)}"
            '<details class="plot__numbers"><summary>The numbers</summary><div class="plot__scroll" tabindex="0" '
            f'role="group" aria-label="The numbers">{plots.table(found.chart)}</div></details>'
        )
        body += "".join(
            foot(capture, snippet, context) for capture, (snippet, _) in zip(found.captures, found.sources)
        )
    return f'<figure class="evidence plot" id="{anchor}">{body}</figure>', said


def badge(text: str) -> str:
    """A note on a block that something is wrong with."""
    return f'<div class="evidence__badge">{html.escape(text)}</div>'


def line_id(anchor: str, line: int) -> str:
    """The id of a line of a block that something links to."""
    return f"{anchor}-{line}"


def _grouped(runners: list[str], found: Mapping[str, Capture], call: Call, snippet: Snippet) -> list[list[str]]:
    """The runners in groups that printed the same, the compiler's facts in one of their own."""
    groups: dict[tuple[str, str], list[str]] = {}
    for runner in runners:
        alone = runner not in found or not snippet.prints(runner)
        key = ("alone", runner) if alone else ("printed", text_of(found[runner], call))
        groups.setdefault(key, []).append(runner)
    return list(groups.values())


def _printed(capture: Capture, call: Call, snippet: Snippet, anchor: str, wanted: Set[int]) -> str:
    if capture.runner == "compiler" and snippet.shows_facts:
        told = "".join(map(_launch, launches(capture.text)))
        return told or f'<div class="facts"><p>{html.escape(capture.text)}</p></div>'
    lines = html.escape(text_of(capture, call), quote=False).split("\n")
    for number in wanted:
        # The runner keeps apart the tabs of one block.
        lines[number - 1] = f'<span id="{line_id(f"{anchor}-{capture.runner}", number)}">{lines[number - 1]}</span>'
    text = "\n".join(lines)
    return f'<div class="highlight"><pre><code>{text}</code></pre></div>'


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
        shown += f'<p class="facts__rejected">Rejected for {targets}:</p>{_pre(message.rstrip())}'
    return (
        f'<div class="facts"><p><code>{html.escape(launch.title)}</code> '
        f'<span class="facts__launch">{html.escape(launch.launch)}</span></p>{shown}</div>'
    )


def _runner(titles: list[str]) -> str:
    return f'<span class="evidence__runner">{html.escape(titles[0])}</span>'


def _agreed(titles: list[str]) -> str:
    others = html.escape(" and ".join(titles[1:]))
    return f' <span class="evidence__agree">{others} printed the same</span>' if others else ""


def foot(capture: Capture, snippet: Snippet, context: Context) -> str:
    """The line under a block that says what made it, and how to make it again."""
    facts = [capture.device, *capture.versions.split(", "), f"exit {capture.exit}"]
    shown = " · ".join(map(html.escape, facts))
    command = html.escape(f"{RUNNERS[capture.runner].command} {snippet.file}")
    if capture.runner in ("compiler", "replay"):
        command = f"scripts/build --runner {capture.runner} {snippet}"
    return (
        f'<div class="evidence__foot">{shown} · <code>{command}</code> · '
        f'<a download href="{context.address(program_path(snippet))}">{snippet.file}</a></div>'
    )


def _tabs(panels: list[tuple[str, str]], name: str) -> str:
    """Content tabs in the markup of Material's style sheet: radio buttons, so no script is needed."""
    numbers = range(1, len(panels) + 1)
    inputs = "".join(
        f'<input{" checked" if i == 1 else ""} id="{name}_{i}" name="{name}" type="radio">' for i in numbers
    )
    labels = "".join(
        f'<label for="{name}_{i}">{html.escape(title)}</label>' for i, (title, _) in zip(numbers, panels)
    )
    blocks = "".join(f'<div class="tabbed-block">{body}</div>' for _, body in panels)
    return (
        f'<div class="tabbed-set tabbed-alternate" data-tabs="1:{len(panels)}">{inputs}'
        f'<div class="tabbed-labels">{labels}</div><div class="tabbed-content">{blocks}</div></div>'
    )


def _pre(text: str) -> str:
    return f"<pre><code>{html.escape(text, quote=False)}</code></pre>"
