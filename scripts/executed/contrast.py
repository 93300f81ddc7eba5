"""Find the words in which two outputs really differ, for a page to mark.

Rounding and declared noise are no difference, by the rules of ``compare``.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from executed import compare
from executed.snippet import Label

Span = tuple[int, int]
"""Where a differing stretch of a line begins and ends."""

# A number, a word, or one sign; blanks only part them.
_TOKEN = re.compile(rf"{compare.NUMBER.pattern}|\w+|\s+|[^\w\s]")
_MOST = 0.7
"""Share of a line's words from which on it is marked in one piece: a patchwork reads worse."""
_MOST_PAIRS = 250_000
"""Pairs of words beyond which lines are not aligned: a flood must not stop the engine."""


def contrast(one: str, other: str, labels: Sequence[Label] = ()) -> tuple[list[list[Span]], list[list[Span]]]:
    """For each line of two outputs, the stretches that the other output does not have."""
    lines = one.split("\n"), other.split("\n")
    marked = [[[] for _ in lines[0]], [[] for _ in lines[1]]]
    for a, b, c, d in compare.aligned(*lines, labels):
        if b - a == d - c:
            for i, j in zip(range(a, b), range(c, d)):
                marked[0][i], marked[1][j] = _in_line(lines[0][i], lines[1][j], labels)
        else:
            for side, first, last in ((0, a, b), (1, c, d)):
                for i in range(first, last):
                    marked[side][i] = _whole(lines[side][i])
    return marked[0], marked[1]


def _in_line(one: str, other: str, labels: Sequence[Label]) -> tuple[list[Span], list[Span]]:
    if compare.same_line(one, other, labels):
        return [], []
    label = compare.label_of(one, labels)
    tokens = list(_TOKEN.finditer(one)), list(_TOKEN.finditer(other))
    texts = [[token[0] for token in side] for side in tokens]
    if len(texts[0]) * len(texts[1]) > _MOST_PAIRS:
        return _whole(one), _whole(other)
    spans: tuple[list[Span], list[Span]] = [], []
    for a, b, c, d in _unequal(*texts):
        paired = b - a == d - c
        for side, first, last in ((0, a, b), (1, c, d)):
            for place in range(first, last):
                step = place - first
                agrees = paired and compare.same_value(texts[0][a + step], texts[1][c + step], label)
                if not agrees and not texts[side][place].isspace():
                    spans[side].append(tokens[side][place].span())
    return _joined(one, spans[0]), _joined(other, spans[1])


def _unequal(one: list[str], other: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of tokens that may differ, as bounds in the one and in the other line.

    Lines of one shape are compared place by place: the same figure elsewhere in a list is no match.
    """
    shapes = [[compare.NUMBER.sub("#", token) for token in side] for side in (one, other)]
    if shapes[0] == shapes[1]:
        yield 0, len(one), 0, len(other)
        return
    for tag, *bounds in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            yield tuple(bounds)


def _joined(line: str, spans: list[Span]) -> list[Span]:
    """Neighbours as one stretch, and all between the first and the last where little of the line is left."""
    words = sum(not token.isspace() for token in _TOKEN.findall(line))
    if len(spans) > 2 and len(spans) >= _MOST * words:
        return [(spans[0][0], spans[-1][1])]
    joined: list[Span] = []
    for start, end in spans:
        if joined and not line[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _whole(line: str) -> list[Span]:
    text = line.strip()
    return [(line.index(text), line.index(text) + len(text))] if text else []
