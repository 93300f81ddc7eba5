"""Tell a changed output from float32 rounding and from noise that the snippet declared.

Text and integers must be equal. Floats, read as float32, may be neighbours, in whatever they are
nested. Numbers behind a declared label follow that label's kind.
"""

import math
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from executed.snippet import Label

NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+|(?:inf|nan)(?!\w))"
)
_LABEL = re.compile(r"^\s*(?P<label>[^:\[\]{}\s](?:[^:\[\]{}]*[^:\[\]{}\s])?):(?=\s|$)")
# Blanks that only align: at the start of a line, inside a bracket, before a comma, and all but one
# between words.
_PADDING = re.compile(r"^ +|(?<=\[) +| +(?=[],])| +(?= )")
# A comma or an underscore that groups the digits of one number.
_GROUPING = re.compile(r"(?<=\d)[,_](?=\d{3}(?!\d))")

_MOST_PAIRS = 250_000
"""Pairs of lines beyond which outputs are not aligned: a flood must not stop the engine."""


@dataclass(frozen=True)
class Comparison:
    """The recorded text brought up to date with a new one, and where the two really differ."""

    text: str
    """The new text, but with the recorded line wherever only rounding or declared noise moved."""
    changed: bool
    problems: tuple[str, ...] = ()
    """Lines that break what their label declares, in words."""


def compare(recorded: str, printed: str, labels: Sequence[Label] = ()) -> Comparison:
    """Compare a recorded output with a new one, line by line."""
    old, new = recorded.split("\n"), printed.split("\n")
    merged: list[str] = []
    for a, b, c, d in aligned(old, new, labels):
        merged += _merged(old[a:b], new[c:d], labels) if b - a == d - c else new[c:d]
    text = "\n".join(merged)
    return Comparison(text, text != recorded, tuple(problems(printed, labels)))


def aligned(old: list[str], new: list[str], labels: Sequence[Label] = ()) -> Iterator[tuple[int, int, int, int]]:
    """Yield runs of lines that belong together, as bounds in the old and in the new lines."""
    old, new = ([_shape(line, labels) for line in lines] for lines in (old, new))
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    a, b, c, d = head, len(old) - tail, head, len(new) - tail
    yield 0, head, 0, head
    if (b - a) * (d - c) > _MOST_PAIRS:
        yield a, b, c, d
    else:
        for _, *bounds in SequenceMatcher(None, old[a:b], new[c:d], autojunk=False).get_opcodes():
            yield a + bounds[0], a + bounds[1], c + bounds[2], c + bounds[3]
    yield b, len(old), d, len(new)


def _merged(old: list[str], new: list[str], labels: Sequence[Label]) -> list[str]:
    """The new lines, but the recorded one wherever both say the same.

    NumPy pads all rows of an array as its widest number needs, so where rounding moved a width,
    the padding of the rows around it does not count either.
    """
    merged = [o if same_line(o, n, labels) else n for o, n in zip(old, new)]
    for rows in (range(len(new)), reversed(range(len(new)))):
        widened = False
        for i in rows:
            widened = _width_moved(old[i], new[i]) or (widened and _padding_moved(old[i], new[i]))
            if widened:
                merged[i] = old[i]
    return merged


def problems(text: str, labels: Sequence[Label]) -> list[str]:
    """Lines of an output that break what they are declared to be, in words."""
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        label = label_of(line, labels)
        if label is None or label.kind != "bound":
            continue
        tokens = NUMBER.findall(_GROUPING.sub("", _split_label(line)[1]))
        if not tokens:
            found.append(f"line {number}: {line.strip()!r} has a bound {label.limit:g}, but no number")
        elif not all(abs(float(token)) <= label.limit for token in tokens):
            found.append(f"line {number}: {line.strip()!r} is above its bound {label.limit:g}")
    return found


def label_of(line: str, labels: Sequence[Label]) -> Label | None:
    """The declared label that a line is printed under, or None."""
    match = _LABEL.match(line)
    if match is None:
        return None
    name = match["label"].strip()
    return next((label for label in labels if label.covers(name)), None)


def same_line(old: str, new: str, labels: Sequence[Label] = ()) -> bool:
    """Whether a line says the same as the recorded one."""
    if old == new:
        return True
    label = label_of(new, labels)
    if label is not None and label.kind != "exact":
        (name, before), (other, after) = _split_label(old), _split_label(new)
        if name != other:
            return False
        return label.kind == "volatile" or _tokens_agree(before, after, lambda a, b: _declared(a, b, label))
    return _tokens_agree(old, new, same_number)


def same_number(old: str, new: str) -> bool:
    """Whether two printed numbers are the same: integers exactly, floats to float32 rounding."""
    if old == new:
        return True
    if not (_is_float(old) and _is_float(new)):
        return False
    a, b = float(old), float(new)
    if math.copysign(1, a) != math.copysign(1, b) or not (math.isfinite(a) and math.isfinite(b)):
        return False
    # One number in two forms is a change.
    return a != b and _same_format(old, new) and _neighbours(a, b)


def same_value(old: str, new: str, label: Label | None) -> bool:
    """Whether two words of a line say the same, numbers by what the line's label declares of them."""
    if old == new or not (NUMBER.fullmatch(old) and NUMBER.fullmatch(new)):
        return old == new
    if label is None or label.kind == "exact":
        return same_number(old, new)
    return label.kind == "volatile" or _declared(old, new, label)


def _declared(old: str, new: str, label: Label) -> bool:
    if old == new:
        return True
    a, b = float(old), float(new)
    if label.kind == "bound":
        return abs(a) <= label.limit and abs(b) <= label.limit
    return math.isfinite(a) and math.isfinite(b) and abs(b - a) <= label.within * abs(a)


def _tokens_agree(old: str, new: str, agree) -> bool:
    olds, news = NUMBER.findall(old), NUMBER.findall(new)
    if len(olds) != len(news) or not all(map(agree, olds, news)):
        return False
    return _between(old, olds, news) == _between(new, olds, news)


def _between(line: str, olds: list[str], news: list[str]) -> list[str]:
    """The text around the numbers. Where the width of one moved, padding does not count."""
    moved = any(len(a) != len(b) for a, b in zip(olds, news))
    return NUMBER.split(_PADDING.sub("", line) if moved else line)


def _width_moved(old: str, new: str) -> bool:
    """Whether rounding, and nothing else, made a number of the line longer or shorter."""
    widths = [list(map(len, NUMBER.findall(line))) for line in (old, new)] if old != new else []
    return widths[:1] != widths[1:] and _tokens_agree(old, new, same_number)


def _padding_moved(old: str, new: str) -> bool:
    """Whether a line of numbers, or an empty one, says the same but for its padding."""
    numbers = not new or NUMBER.search(new) is not None
    return numbers and _tokens_agree(_PADDING.sub("", old), _PADDING.sub("", new), same_number)


def _same_format(old: str, new: str) -> bool:
    """Whether two floats are printed alike: equal digits, or each the shortest of its value."""
    if _layout(old) == _layout(new):
        return True
    return any(shortest(old) and shortest(new) for shortest in (_is_double_repr, _is_float32_repr))


def _layout(token: str) -> tuple[int, bool]:
    mantissa, exponent, _ = token.lower().partition("e")
    return len(mantissa.partition(".")[2]), bool(exponent)


def _is_double_repr(token: str) -> bool:
    """Whether a token is what Python prints for a float that came out of arithmetic.

    A float32 widened to a double, or a double that needs (almost) all of its digits: their count
    says nothing about how the program formats.
    """
    value = float(token)
    full = _float32(value) == value or len(_significant(token)) >= 15
    return repr(value) == token.lstrip("+") and full


def _is_float32_repr(token: str) -> bool:
    """Whether a token is the shortest text that names its float32, as NumPy prints it."""
    value = _float32(float(token))
    for precision in range(9):
        shortest = f"{value:.{precision}e}"
        if _float32(float(shortest)) == value:
            return _significant(token) == _significant(shortest) and not _ends_in_zero(token)
    return False


def _ends_in_zero(token: str) -> bool:
    """Whether a decimal was padded: ``0.10``, but not ``1.0``."""
    fraction = token.lower().partition("e")[0].partition(".")[2]
    return len(fraction) > 1 and fraction.endswith("0")


def _significant(token: str) -> str:
    digits = re.sub(r"\D", "", token.lower().partition("e")[0]).lstrip("0").rstrip("0")
    return digits or "0"


def _neighbours(a: float, b: float) -> bool:
    """Whether two numbers of one sign, read as float32, are the same or one step apart."""
    singles = [abs(_float32(value)) for value in (a, b)]
    if any(math.isinf(single) or (value and not single) for value, single in zip((a, b), singles)):
        return False  # Larger or smaller than any float32.
    one, other = (int.from_bytes(struct.pack(">f", single)) for single in singles)
    return abs(one - other) <= 1


def _float32(value: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.inf


def _is_float(token: str) -> bool:
    return re.fullmatch(r"[-+]?\d+", token) is None


def _split_label(line: str) -> tuple[str, str]:
    match = _LABEL.match(line)
    end = match.end() if match else 0
    return line[:end], line[end:]


def _shape(line: str, labels: Sequence[Label]) -> str:
    """What two lines that belong together have in common."""
    label = label_of(line, labels)
    if label is not None and label.kind != "exact":
        name, rest = _split_label(line)
        return name if label.kind == "volatile" else name + NUMBER.sub("#", _PADDING.sub("", rest))
    return NUMBER.sub("#", _PADDING.sub("", line))
