"""Draw captured numbers: lines over sizes, a bar for each configuration, or a point for each kernel.

Its text stands in the colours of the page and its marks in shapes as well as colours, so that one
drawing serves both schemes, print, and a reader without the style sheet.
"""

import html
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from executed import extract

KINDS = ("lines", "bars", "points")
MOST_SERIES = 6
"""Shapes of marks that can be told apart."""
WIDTH = 420
"""In units of the picture, whose lettering has 13."""
_HEIGHT, _PLANE, _TOP, _RIGHT, _BOTTOM = 250, 360, 30, 18, 44
_BAR, _GAP, _LETTER = 18, 12, 6.9

_POWER = re.compile(r"(?P<base>\d+)\*\*(?P<exponent>\d{1,4})")
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d*)?(?:[eE][-+]?\d+)?")
# A measurement may carry its unit: what follows the number is for the table.
_LEADS = re.compile(rf"(?P<number>{_NUMBER.pattern}|[-+]?(?:inf|nan))(?=$|\s|[%×x]$)")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-3.7 -3.7h7.4v7.4h-7.4z", "M0 -5L4.6 3.6H-4.6z",
    "M0 -5.2L5.2 0L0 5.2L-5.2 0z", "M0 5L4.6 -3.6H-4.6z", "M-4 -1.6h2.4v-2.4h3.2v2.4h2.4v3.2h-2.4v2.4h-3.2v-2.4h-2.4z",
)
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
_REACH = 9
"""How far around a mark that is a link a finger may come down."""


class PlotError(Exception):
    """What a plot names is not in the output, or cannot be drawn."""


@dataclass(frozen=True)
class Point:
    """One captured line: what its label holds in place of the star, and its value."""

    label: str
    x: str
    """As printed in the label."""
    shown: str
    """The value as printed."""
    y: float = field(compare=False)
    fields: tuple[tuple[str, str], ...] = ()
    """Where a point is a whole line: every name and value of it."""


@dataclass(frozen=True)
class Series:
    """The points of one pattern, and what tells it from the others."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Chart:
    """Everything that a drawing shows."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    ceilings: tuple[Point, ...] = ()
    slope: Point | None = None
    """What times x is a ceiling too, left of where it meets the others."""
    kind: str = "lines"
    """One of ``KINDS``."""
    log: str = ""
    """The axes that are logarithmic: some of ``xy``."""


@dataclass(frozen=True)
class Link:
    """Where a point leads."""

    address: str
    words: str
    """The title of what is there."""


@dataclass(frozen=True)
class Scale:
    """Places numbers along an axis."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    zero: float | None = None
    """Where 0 stands on a logarithmic axis that needs to show one."""

    def at(self, value: float) -> float:
        if self.log and value == 0:
            return self.zero
        low, high, value = (math.log10(v) if self.log else v for v in (self.low, self.high, value))
        return self.start + (self.end - self.start) * ((value - low) / (high - low) if high > low else 0.5)


def points(text: str, pattern: str, pick: str | None = None, across: str | None = None) -> tuple[Point, ...]:
    """The lines of an output whose label fits a pattern, in their order. Raises ``PlotError``.

    ``across`` is the field that holds x, where the label does not.
    """
    if pattern.count("*") != 1:
        raise PlotError(f"a series needs one * in its label, which stands for x; {pattern!r} has {pattern.count('*')}")
    before, after = map(re.escape, pattern.split("*"))
    shape = re.compile(rf"{before}(?P<x>\S|\S.*?\S){after}:(?=\s)")
    matches = filter(None, map(shape.match, (line.lstrip() for line in text.split("\n"))))
    found = tuple(
        _point(text, match[0][:-1], match["x"], pick) if across is None else _placed(text, match[0][:-1], across, pick)
        for match in matches
    )
    if not found:
        known = ", ".join(repr(label) for label in _labels(text)) or "none"
        raise PlotError(f"no label fits {pattern!r}; labels are: {known}")
    return found


def ceilings(text: str, label: str) -> tuple[Point, ...]:
    """The line of an output with a label, or those that fit it where it has a star. Raises ``PlotError``."""
    return points(text, label) if "*" in label else (_point(text, label, "", None),)


def check(chart: Chart) -> None:
    """Refuse what cannot be drawn. Raises ``PlotError``."""
    if chart.kind == "bars" and "x" in chart.log:
        raise PlotError("bars have names in place of x, so log='x' means nothing")
    if chart.slope and (chart.kind == "bars" or chart.log != "xy"):
        raise PlotError('a slope is a straight line where both axes are logarithmic: log="xy"')
    if len(chart.series) > MOST_SERIES:
        raise PlotError(f"{len(chart.series)} series; {MOST_SERIES} can be told apart")
    for series in chart.series:
        seen: dict[object, Point] = {}
        for point in series.points:
            place = point.x if chart.kind == "bars" else _x(point)
            if place in seen and chart.kind != "points":
                raise PlotError(f"x = {point.x} is printed twice: {seen[place].label!r} and {point.label!r}")
            seen[place] = point
            if "x" in chart.log and place <= 0:
                raise PlotError(f"{point.label!r}: {point.x} has no place on a logarithmic axis")
    drawn = _drawn(chart)
    if not drawn:
        raise PlotError("no point of it is a finite number")
    if "y" in chart.log:
        for point in drawn + ([chart.slope] if chart.slope else []):
            if point.y < 0 or point is chart.slope and not 0 < point.y < math.inf:
                raise PlotError(f"{point.label!r}: {point.shown} has no place on a logarithmic axis")
        if not any(point.y for point in drawn):
            raise PlotError("every point is 0, which has no place on a logarithmic axis")


def names(patterns: Sequence[str]) -> list[str]:
    """What tells labels apart: what stands around the star, without the words that all end in."""
    sides = [[side.split() for side in pattern.split("*")] for pattern in patterns]
    told: list[list[str]] = [[] for _ in patterns]
    for side in zip(*sides):
        if all(words == side[0] for words in side):
            continue
        shared = 0
        while all(len(words) > shared and words[-1 - shared] == side[0][-1 - shared] for words in side):
            shared += 1
        for name, words in zip(told, side):
            name += words[: len(words) - shared]
    whole = (" ".join(pattern.replace("*", " ").split()) for pattern in patterns)
    return [" ".join(name).strip(" ,:;") or label for name, label in zip(told, whole)]


def svg(chart: Chart, name: str, links: Mapping[str, Link] = {}) -> str:
    """The drawing. ``name`` begins the ids in it, ``links`` are by label. The chart must have passed ``check``."""
    height, inside = _bars(chart) if chart.kind == "bars" else _lines(chart, links)
    role = "group" if links else "img"  # An image has nothing in it that can be reached.
    return (
        f'<svg class="plot__picture" role="{role}" aria-labelledby="{name}-title {name}-desc" data-search-exclude="" '
        f'viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" xmlns="http://www.w3.org/2000/svg" '
        f'font-size="13" fill="currentColor"><title id="{name}-title">{_escaped(chart.title)}</title>'
        f'<desc id="{name}-desc">{_escaped(words(chart))}</desc>{inside}</svg>'
    )


def legend(chart: Chart) -> str:
    """Which mark of a drawing is which series, where there is more than one mark."""
    keys = []
    for number, series in enumerate(chart.series):
        line = _path("M0 7H30", number) if chart.kind == "lines" else ""
        keys.append((f'<g class="plot__s{number}">{line}{_mark(15, 7, number)}</g>', series.name))
    keys += [(_dashed("M0 13L30 1"), f"{_ceiling(chart.slope)}, times x")] if chart.slope else []
    keys += [(_dashed("M0 7H30"), _ceiling(chart.ceilings[0]))] if len(chart.ceilings) == 1 else []
    if chart.kind == "bars" or len(keys) < 2:
        return ""
    rows = (
        '<li><svg class="plot__key" viewBox="0 0 30 14" width="30" height="14" aria-hidden="true" '
        f'fill="currentColor">{drawn}</svg> {_escaped(name)}</li>'
        for drawn, name in keys
    )
    return f'<ul class="plot__legend">{"".join(rows)}</ul>'


def table(chart: Chart, links: Mapping[str, Link] = {}) -> str:
    """Every number of the drawing, as it was printed, and where its points lead."""
    if chart.kind == "points":
        return _list(chart, links)
    cells = [{point.x: point.shown for point in series.points} for series in chart.series]
    order = dict.fromkeys(point.x for series in chart.series for point in series.points)
    order = list(order) if chart.kind == "bars" else sorted(order, key=_number)
    heads = [series.name for series in chart.series] if len(chart.series) > 1 else [chart.y]
    head = "".join(f'<th scope="col">{_escaped(text)}</th>' for text in (chart.x, *heads))
    rows = "".join(
        f'<tr><th scope="row">{_escaped(x)}</th>' + "".join(f"<td>{_escaped(of.get(x, ''))}</td>" for of in cells) + "</tr>"
        for x in order
    )
    rows += _limits(chart, len(cells))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def words(chart: Chart) -> str:
    """What the drawing shows, in sentences."""
    kind = {"lines": "A line over", "bars": "A bar for each", "points": "Points over"}[chart.kind]
    scales = {"": "", "x": ", logarithmic", "y": "", "xy": ", both axes logarithmic"}[chart.log]
    said = [f"{kind} {chart.x}{scales}, of {chart.y}{', logarithmic' if chart.log == 'y' else ''}."]
    for series in chart.series:
        drawn = [point for point in series.points if math.isfinite(point.y)]
        if not drawn:
            continue
        drawn = sorted(drawn, key=_x) if chart.kind == "lines" else drawn
        least, most = min(drawn, key=lambda p: p.y), max(drawn, key=lambda p: p.y)
        first = f"{series.name}: " if len(chart.series) > 1 else ""
        ends = ""
        if chart.kind == "lines":
            ends = f"from {drawn[0].shown} at {drawn[0].x} to {drawn[-1].shown} at {drawn[-1].x}; "
        low, high = (point.label if chart.kind == "points" else point.x for point in (least, most))
        said.append(f"{first}{ends}least {least.shown} at {low}, most {most.shown} at {high}.")
    if chart.slope:
        said.append(f"A dashed line rises as {chart.slope.label}, {chart.slope.shown}, times {chart.x}.")
    said += [f"A dashed line marks {_ceiling(point)}." for point in chart.ceilings]
    return " ".join(said)


def _point(text: str, label: str, x: str, pick: str | None) -> Point:
    try:
        shown = extract.value(text, label, field=pick)
    except extract.ExtractError as error:
        raise PlotError(str(error)) from None
    number = _LEADS.match(shown)
    if number is None:
        raise PlotError(f"{label!r} is {shown!r}, which is no number")
    return Point(label, x, shown, float(number["number"].replace(",", "")))


def _placed(text: str, label: str, across: str, pick: str | None) -> Point:
    """A point of a line that holds both its numbers."""
    x, y = _point(text, label, "", across), _point(text, label, "", pick)
    return Point(label, x.shown, y.shown, y.y, tuple(map(_field, extract.value(text, label).split(", "))))


def _field(text: str) -> tuple[str, str]:
    """Name and value of ``name value``, or of ``value name`` where it begins with a number."""
    value, _, name = text.partition(" ")
    if name and _NUMBER.fullmatch(value):
        return name, value
    name, _, value = text.rpartition(" ")
    return name, value


def _list(chart: Chart, links: Mapping[str, Link]) -> str:
    """A row for each point, under the name of its series."""
    heads = [name for name, _ in chart.series[0].points[0].fields]
    rows = ""
    for series in chart.series:
        rows += f'<tr><th scope="rowgroup" colspan="{len(heads) + 1}">{_escaped(series.name)}</th></tr>'
        for point in series.points:
            link = links.get(point.label)
            name = _escaped(point.label)
            name = f'<a href="{link.address}">{name}</a> <span>{_escaped(link.words)}</span>' if link else name
            values = dict(point.fields)
            cells = "".join(f"<td>{_escaped(values.get(head, ''))}</td>" for head in heads)
            rows += f'<tr><th scope="row">{name}</th>{cells}</tr>'
    head = "".join(f'<th scope="col">{_escaped(text)}</th>' for text in ("kernel", *heads))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}{_limits(chart, len(heads))}</tbody></table>"


def _limits(chart: Chart, columns: int) -> str:
    """The rows of the ceilings."""
    rows = ""
    for point in (*([chart.slope] if chart.slope else []), *chart.ceilings):
        shown = f'<td colspan="{columns}">{_escaped(point.shown)}</td>'
        rows += f'<tr><th scope="row">{_escaped(point.label)}</th>{shown}</tr>'
    return rows


def _labels(text: str) -> list[str]:
    return list(dict.fromkeys(line.strip().partition(":")[0] for line in text.split("\n") if re.search(r"\S:\s", line)))


def _number(x: str) -> float | None:
    if power := _POWER.fullmatch(x):
        return float(int(power["base"]) ** int(power["exponent"]))
    return float(x.replace(",", "")) if _NUMBER.fullmatch(x) else None


def _x(point: Point) -> float:
    number = _number(point.x)
    if number is None:
        raise PlotError(f'{point.label!r}: x is {point.x!r}, which is no number; kind="bars" takes names')
    return number


def _drawn(chart: Chart) -> list[Point]:
    """The points that have a place."""
    found = [point for series in chart.series for point in series.points if math.isfinite(point.y)]
    return found + [point for point in chart.ceilings if math.isfinite(point.y)]


def _value_scale(chart: Chart, start: float, end: float) -> Scale:
    """The axis of the values: from 0, or between powers of ten."""
    values = [point.y for point in _drawn(chart)]
    if "y" not in chart.log:
        step = _step(max(values + [0.0]) - min(values + [0.0]))
        low, high = (math.floor(min(values + [0.0]) / step), math.ceil(max(values + [0.0]) / step))
        return Scale(low * step, max(high, low + 1) * step, start, end)
    above = [value for value in values if value]
    low, high = _around(min(above), max(above))
    if len(above) == len(values):
        return Scale(low, high, start, end, True)
    return Scale(low, high, start + (end - start) * 0.12, end, True, start)


def _around(least: float, most: float) -> tuple[float, float]:
    """Round numbers below and above some."""
    low = max(tick for tick in _round(least) if tick <= least)
    return low, min(tick for tick in _round(most) if tick >= most and tick > low)


def _round(near: float) -> list[float]:
    """The numbers around one that a logarithmic axis may begin, end and be marked at."""
    exponent = math.floor(math.log10(near))
    return [float(f"{first}e{e}") for e in range(exponent - 1, exponent + 3) for first in (1, 2, 5)]


def _size_scale(chart: Chart, least: float, most: float, start: float, end: float) -> Scale:
    """The axis of x: from the first size to the last, and from 0 where that is near."""
    if "x" in chart.log:
        return Scale(least, most, start, end, True)
    low = 0.0 if 0 < least <= 0.2 * most else least
    step = _step(most - low)
    return Scale(math.floor(low / step) * step, math.ceil(most / step) * step, start, end)


def _step(span: float) -> float:
    """A round distance between four to six ticks."""
    rough = (span or 1.0) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * times for times in (1, 2, 2.5, 5, 10) if power * times >= rough * 0.999)


def _ticks(scale: Scale) -> list[tuple[float, str]]:
    """Where the ticks of an axis stand, and what they say."""
    if scale.log:
        first, last = math.ceil(math.log10(scale.low)), math.floor(math.log10(scale.high))
        every = max(1, math.ceil((last - first) / 6))
        shown = [(float(f"1e{e}"), _power_of_ten(e)) for e in range(first, last + 1, every)]
        if len(shown) < 3:
            shown = [(tick, _plain(tick)) for tick in _round(scale.low) if scale.low <= tick <= scale.high]
        return shown if scale.zero is None else [(0.0, "0"), *shown]
    step = _step(scale.high - scale.low)
    return [(n * step, _plain(n * step)) for n in range(round(scale.low / step), round(scale.high / step) + 1)]


def _power_of_ten(exponent: int) -> str:
    return _plain(float(f"1e{exponent}")) if -3 <= exponent <= 4 else "10" + str(exponent).translate(_SUPERSCRIPTS)


def _plain(value: float) -> str:
    text = f"{value:,.10g}" if abs(value) >= 1e-4 or not value else f"{value:.10g}"
    return text.replace("-", "−")


def _size_ticks(scale: Scale, printed: dict[float, str]) -> list[tuple[float, str]]:
    """The ticks of x: on a logarithmic axis the sizes themselves, as many as have room."""
    if not scale.log:
        return _ticks(scale)
    shown = sorted(printed.items())
    if max(printed) > 9999 and all(x >= 1 and math.log2(x).is_integer() for x in printed):
        shown = [(x, f"2{str(int(math.log2(x))).translate(_SUPERSCRIPTS)}") for x, _ in shown]
    elif any(len(text) > 6 for _, text in shown):
        decades = range(math.ceil(math.log10(scale.low)), math.floor(math.log10(scale.high)) + 1)
        shown = [(float(f"1e{e}"), _power_of_ten(e)) for e in decades] or shown
    kept: list[tuple[float, str]] = []
    for x, text in shown:
        room = (len(text) + len(kept[-1][1])) * _LETTER / 2 + 8 if kept else 0
        if not kept or scale.at(x) - scale.at(kept[-1][0]) >= room:
            kept.append((x, text))
    return kept


def _lines(chart: Chart, links: Mapping[str, Link]) -> tuple[float, str]:
    """A plane with lines in it, or with points that lead somewhere."""
    places = chart.kind == "points"
    height = _PLANE if places else _HEIGHT
    printed = {_x(point): point.x for series in chart.series for point in series.points}
    heights = _value_scale(chart, height - _BOTTOM, _TOP)
    marks = _ticks(heights)
    left = max(len(text) for _, text in marks) * _LETTER + 14
    least, most = min(printed), max(printed)
    if places and "x" in chart.log:
        least, most = _around(least, most)
    across = _size_scale(chart, least, most, left + 10, WIDTH - _RIGHT - 8)
    parts = [_text(0, 14, chart.y, "plot__axis")]
    for value, text in marks:
        y = heights.at(value)
        parts.append(f'<path class="plot__grid" d="M{left:g} {y:.1f}H{WIDTH - _RIGHT}" stroke="currentColor" stroke-width=".3"/>')
        parts.append(_text(left - 7, y + 4.5, text, "plot__tick", "end"))
    for x, text in _ticks(across) if places else _size_ticks(across, printed):
        parts.append(f'<path class="plot__grid" d="M{across.at(x):.1f} {height - _BOTTOM}v5" stroke="currentColor"/>')
        parts.append(_text(across.at(x), height - _BOTTOM + 19, text, "plot__tick", "middle"))
    parts.append(_text(WIDTH - _RIGHT, height - 5, chart.x, "plot__axis", "end"))
    parts += _roof(chart, across, heights, left)
    for number, series in enumerate(chart.series):
        runs: list[list[str]] = [[]]
        dots = ""
        for point in series.points if places else sorted(series.points, key=_x):
            if not math.isfinite(point.y):
                runs.append([])  # A gap, which the table explains.
                continue
            x, y = across.at(_x(point)), heights.at(point.y)
            runs[-1].append(f"{x:.1f} {y:.1f}")
            said = ", ".join(" ".join(pair) for pair in point.fields) or point.shown
            dot = _mark(x, y, number, f"{point.label}: {said}", hollow=heights.log and point.y == 0)
            dots += _linked(dot, x, y, links.get(point.label), point.label)
        line = "" if places else "".join(_path(f"M{'L'.join(run)}", number) for run in runs if len(run) > 1)
        parts.append(f'<g class="plot__s{number}">{line}{dots}</g>')
    return height, "".join(parts)


def _roof(chart: Chart, across: Scale, heights: Scale, left: float) -> list[str]:
    """The ceilings: level lines, and where there is a slope, one line that rises to the highest of them."""
    levels = [point for point in chart.ceilings if math.isfinite(point.y)]
    drawn = (point for series in chart.series for point in series.points if math.isfinite(point.y))
    marks = [(across.at(_x(point)), heights.at(point.y)) for point in drawn]
    parts = []
    for point in levels:
        begin = max(left, across.at(max(across.low, point.y / chart.slope.y))) if chart.slope else left
        y = heights.at(point.y)
        if begin < across.end:
            parts.append(_dashed(f"M{begin:.1f} {y:.1f}H{WIDTH - _RIGHT}"))
        if len(chart.ceilings) > 1:
            # Above the highest, and under the others, where the slope does not run through; or where no mark is.
            highest = point.y == max(level.y for level in levels)
            rows = [y - 5, y + 15, y - 20, y + 30] if highest else [y + 15, y - 5, *(y + 15 + 15 * row for row in range(1, 6))]
            begins = WIDTH - _RIGHT - len(_ceiling(point)) * _LETTER
            free = (row for row in rows if not any(x > begins - _REACH and row - 16 < at < row + 5 for x, at in marks))
            parts.append(_text(WIDTH - _RIGHT, next(free, rows[0]), _ceiling(point), "plot__ceiling-name", "end"))
    if chart.slope:
        slope = chart.slope.y
        first = max(across.low, heights.low / slope)
        last = min(across.high, max((point.y for point in levels), default=heights.high) / slope)
        if first < last:
            ends = (f"{across.at(x):.1f} {heights.at(slope * x):.1f}" for x in (first, last))
            parts.append(_dashed(f"M{'L'.join(ends)}"))
    return parts


def _linked(mark: str, x: float, y: float, link: Link | None, label: str) -> str:
    if link is None:
        return mark
    name = html.escape(f"{label}: {link.words}")
    reach = f'<circle class="plot__reach" cx="{x:.1f}" cy="{y:.1f}" r="{_REACH}" fill="none"/>'
    return f'<a class="plot__link" href="{link.address}" aria-label="{name}">{reach}{mark}</a>'


def _bars(chart: Chart) -> tuple[float, str]:
    """A bar a line, its name before it and its number behind it, so that nothing depends on colour."""
    several = len(chart.series) > 1
    order = dict.fromkeys(point.x for series in chart.series for point in series.points)
    of = [{point.x: point for point in series.points} for series in chart.series]
    first = max(map(len, [*order, chart.x])) * _LETTER + 8
    second = max(len(series.name) for series in chart.series) * _LETTER + 8 if several else 0
    left = min(first + second, WIDTH * 0.55)
    room = max(len(point.shown) for series in chart.series for point in series.points) * _LETTER + 8
    across = _value_scale(chart, left, WIDTH - room - 2)
    base = across.at(0.0) if not across.log else left
    parts = [_text(0, 14, chart.x, "plot__axis"), _text(left, 14, chart.y, "plot__axis")]
    top = y = 26.0
    for x in order:
        parts.append(_text(0, y + _BAR - 5, x, "plot__tick"))
        for number, points_of in enumerate(of):
            point = points_of.get(x)
            if point is None:
                continue
            if several:
                parts.append(_text(left - 8, y + _BAR - 5, chart.series[number].name, "plot__tick", "end"))
            end = across.at(point.y) if math.isfinite(point.y) else base
            begin, wide = min(base, end), abs(end - base)
            parts.append(
                f'<g class="plot__s{number}"><rect class="plot__bar" x="{begin:.1f}" y="{y:g}" width="{max(wide, 1):.1f}" '
                f'height="{_BAR - 4}"/></g>'
            )
            parts.append(_text(max(base, end) + 6, y + _BAR - 6, point.shown, "plot__number"))
            y += _BAR
        y += _GAP if several else 4
    for point in (point for point in chart.ceilings if math.isfinite(point.y)):
        at = across.at(point.y)
        parts.append(_dashed(f"M{at:.1f} {top - 5:g}V{y:g}"))
        right = at > WIDTH / 2
        parts.append(_text(at, y + 14, _ceiling(point), "plot__ceiling-name", "end" if right else "start"))
        y += 20
    return y + 2, "".join(parts)


def _ceiling(point: Point) -> str:
    return f"{point.label}: {point.shown}"


def _dashed(path: str) -> str:
    return f'<path class="plot__ceiling" d="{path}" fill="none" stroke="currentColor" stroke-width="1.6" stroke-dasharray="5 4"/>'


def _path(path: str, number: int) -> str:
    dashes = f' stroke-dasharray="{_DASHES[number]}"' if _DASHES[number] else ""
    return f'<path class="plot__line" d="{path}" fill="none" stroke="currentColor" stroke-width="1.8"{dashes}/>'


def _mark(x: float, y: float, number: int, title: str = "", *, hollow: bool = False) -> str:
    told = f"<title>{_escaped(title)}</title>" if title else ""
    kind = "plot__mark plot__mark--hollow" if hollow else "plot__mark"
    return f'<path class="{kind}" transform="translate({x:.1f} {y:.1f})" d="{_MARKS[number]}">{told}</path>'


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{placed}>{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)
