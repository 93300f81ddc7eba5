"""Tell a changed output from float32 rounding and from noise that the snippet declared.

Text and integers must be equal. Floats may differ by one unit in the last place of float32, in
whatever they are nested. Numbers behind a declared label follow that label's kind.
"""

import math
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from executed.snippet import Label

_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+|(?:inf|nan)(?!\w))"
)
_LABEL = re.compile(r"^\s*(?P<label>[^:=\[\]{}]*[^:=\[\]{}\s]):(?=\s|$)")


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
    matcher = SequenceMatcher(None, [_shape(line) for line in old], [_shape(line) for line in new], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            merged += [o if same_line(o, n, labels) else n for o, n in zip(old[a:b], new[c:d])]
        elif kind == "replace" and b - a == d - c:
            merged += [o if same_line(o, n, labels) else n for o, n in zip(old[a:b], new[c:d])]
        else:
            merged += new[c:d]
    text = "\n".join(merged)
    return Comparison(text, text != recorded, tuple(problems(printed, labels)))


def problems(text: str, labels: Sequence[Label]) -> list[str]:
    """Lines of an output that break what they are declared to be, in words."""
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        label = label_of(line, labels)
        if label is None or label.kind != "bound":
            continue
        for token in _NUMBER.findall(_after_label(line)):
            value = float(token)
            if not abs(value) <= label.limit:
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
    if label is not None and label is label_of(old, labels):
        if label.kind == "volatile":
            return True
        if label.kind in ("bound", "measured"):
            return _tokens_agree(old, new, lambda a, b: _declared(a, b, label))
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
    return _same_format(old, new) and abs(a - b) <= max(_ulp(a), _ulp(b))


def _declared(old: str, new: str, label: Label) -> bool:
    if old == new:
        return True
    a, b = float(old), float(new)
    if label.kind == "bound":
        return abs(b) <= label.limit
    return math.isfinite(b) and abs(b - a) <= label.within * abs(a)


def _tokens_agree(old: str, new: str, agree) -> bool:
    olds, news = _NUMBER.findall(old), _NUMBER.findall(new)
    if len(olds) != len(news) or not all(map(agree, olds, news)):
        return False
    return _between(old, olds, news) == _between(new, olds, news)


def _between(line: str, olds: list[str], news: list[str]) -> list[str]:
    """The text around the numbers. Padding beside a number whose width moved does not count."""
    pieces = _NUMBER.split(line)
    for i, (a, b) in enumerate(zip(olds, news)):
        if len(a) != len(b):
            pieces[i] = pieces[i].rstrip(" ")
            pieces[i + 1] = pieces[i + 1].lstrip(" ")
    return pieces


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
            return _significant(token) == _significant(shortest)
    return False


def _significant(token: str) -> str:
    digits = re.sub(r"\D", "", token.lower().partition("e")[0]).lstrip("0").rstrip("0")
    return digits or "0"


def _ulp(value: float) -> float:
    """The distance from ``value`` to the next float32 away from zero."""
    single = abs(_float32(value))
    if not math.isfinite(single):
        return 0.0
    bits = struct.unpack("<I", struct.pack("<f", single))[0]
    following = struct.unpack("<f", struct.pack("<I", bits + 1))[0]
    # Two printed neighbours lie one step apart, give or take the rounding of the print itself.
    return (following - single) * 1.001 if math.isfinite(following) else 0.0


def _float32(value: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.inf


def _is_float(token: str) -> bool:
    return re.fullmatch(r"[-+]?\d+", token) is None


def _after_label(line: str) -> str:
    match = _LABEL.match(line)
    return line[match.end() :] if match else line


def _shape(line: str) -> str:
    return _NUMBER.sub("#", line)
