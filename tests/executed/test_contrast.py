"""What is marked in two outputs is what really differs, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed.compare import compare
from executed.contrast import contrast
from executed.snippet import Label

NOISE = (Label("ms", "measured", within=0.5), Label("diff", "bound", limit=1e-6), Label("at", "volatile"))


def shown(one: str, other: str, labels=()) -> list[str]:
    texts = []
    for text, marks in zip((one, other), contrast(one, other, labels)):
        lines = text.split("\n")
        assert len(marks) == len(lines)
        for i, spans in enumerate(marks):
            for start, end in reversed(spans):
                lines[i] = f"{lines[i][:start]}⟦{lines[i][start:end]}⟧{lines[i][end:]}"
        texts.append("\n".join(lines))
    return texts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("right: ⟦True⟧", "right: ⟦False⟧"),
        ("[⟦nan⟧, 0.0, 2.0]", "[⟦0.0⟧, 0.0, 2.0]"),
        # Rounding is no difference, beside one or alone.
        ("a: 0.12345678 ⟦0.2⟧", "a: 0.12345679 ⟦0.3⟧"),
        ("max: 0.12345678", "max: 0.12345679"),
        # Place by place: the 1.0 did not move.
        ("[⟦1.0⟧, 0.0, ⟦0.0⟧]", "[⟦0.0⟧, 0.0, ⟦1.0⟧]"),
        ("same\n⟦only here⟧\nsame too", "same\nsame too"),
        ("in all: ⟦10⟧", "in all: ⟦3⟧"),
        ("message: ⟦shape_kernel⟧() missing 'BLOCK'", "message: ⟦dynamic_func⟧() missing 'BLOCK'"),
        ("said: ⟦no PTX⟧", "said: ⟦max.f32 max.NaN.f32⟧"),
        # Where nearly nothing is shared, all of the line.
        ("⟦one two three⟧", "⟦four five six⟧"),
        ("a:   1", "a:   1"),
    ],
)
def test_what_differs_is_marked(one, other):
    plain = [text.replace("⟦", "").replace("⟧", "") for text in (one, other)]
    assert shown(*plain) == [one, other]
    assert shown(*reversed(plain)) == [other, one]


def test_declared_noise_is_no_difference():
    one, other = "ms: 1.0\ndiff: 1e-7\nat: 0x1f\nn: 1", "ms: 1.2\ndiff: 3e-7\nat: 0x2e\nn: 1"
    assert shown(one, other, NOISE) == [one, other]
    assert shown("ms: 1.0 fast", "ms: 1.2 slow", NOISE) == ["ms: 1.0 ⟦fast⟧", "ms: 1.2 ⟦slow⟧"]


lines = st.lists(st.sampled_from(["a: 1", "a: 2", "b: 0.12345678", "b: 0.12345679", "[1, 2.0]", "x y", "", "  z: <q>"]), max_size=6)


@given(lines, lines)
def test_marks_are_there_exactly_where_a_comparison_sees_a_change(one, other):
    texts = "\n".join(one), "\n".join(other)
    sides = contrast(*texts)
    for text, marks in zip(texts, sides):
        for line, spans in zip(text.split("\n"), marks, strict=True):
            bounds = [bound for span in spans for bound in span]
            assert bounds == sorted(bounds) and all(0 <= bound <= len(line) for bound in bounds)
            assert all(line[start:end].strip() for start, end in spans)
    any_mark = any(spans for side in sides for spans in side)
    if not compare(*texts).changed:
        assert not any_mark
    elif list(filter(None, one)) != list(filter(None, other)):  # A blank line has nothing to mark.
        assert any_mark or not compare("\n".join(filter(None, one)), "\n".join(filter(None, other))).changed


def test_an_output_agrees_with_itself():
    text = "a: nan\n\n  [1. 2.]\n"
    assert shown(text, text) == [text, text]
