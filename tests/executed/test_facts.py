"""What the compilers' captures say is read back whole."""

from pathlib import Path

import pytest

from executed.assemble import kernel_source
from executed.capture import read
from executed.discover import discover
from executed.facts import launches

ROOT = Path(__file__).resolve().parent.parent.parent
TARGETS = ["sm_80", "sm_90", "sm_100", "gfx942"]
FACTS = ["shared", "registers", "spilled", "loads", "stores", "matrix"]
BOOK = discover(ROOT)
CAPTURED = {
    name: read(snippet.capture_path("compiler")).text
    for name, snippet in BOOK.snippets.items()
    if snippet.shows_facts and snippet.capture_path("compiler").is_file()
}


def written(found) -> str:
    """Launches as ``observe`` writes them."""
    lines = []
    for launch in found:
        lines += [f"== {launch.title} ==", f"launch: {launch.launch}"]
        told = {}
        for target, row in launch.facts.items():
            message = launch.rejections.get(target)
            if message is None:
                lines.append(f"{target}: " + ", ".join(f"{name} {value}" for name, value in row.items()))
            elif message in told:
                lines.append(f"{target}: rejected, as for {told[message]}")
            else:
                told[message] = target
                said = message.removesuffix("\n").split("\n")
                lines += [f"{target}: rejected", *(f"    {line}".rstrip() for line in said)]
        lines += ["ptx for sm_90:"] * bool(launch.ptx) + [f"{line:4d}| {text}" for line, text in launch.ptx]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", CAPTURED)
def test_a_real_capture_is_read_whole(name):
    text = CAPTURED[name]
    found = launches(text)
    assert len(found) == text.count("\nlaunch: ")
    if text != "no kernel is launched\n":
        assert written(found) == text
    for launch in found:
        assert list(launch.facts) == TARGETS
        assert set(launch.rejections) <= set(TARGETS)
        assert all(launch.rejections.values())
        for target, row in launch.facts.items():
            assert list(row) == ([] if target in launch.rejections else FACTS)


@pytest.mark.parametrize("name", [name for name, text in CAPTURED.items() if "\nptx for " in text])
def test_every_instruction_belongs_to_a_line_of_its_kernel(name):
    for launch in launches(CAPTURED[name]):
        length = len(kernel_source(BOOK, BOOK.snippets[name], launch.kernel))
        assert all(1 <= line <= length for line, _ in launch.ptx)


REJECTED = """\
== k(X=1) ==
launch: x *fp32, num_warps=4
sm_80: rejected
    Error: at 1:2:

    == other(Y=2) ==
    sm_90: rejected
    launch: nothing
     12| not PTX
    ptx for sm_90:
      indented
sm_90: rejected, as for sm_80
sm_100: rejected
    Other
gfx942: shared 0 B, registers 1
== k(X=1) #2 ==
launch: none
sm_80: shared 0 B
"""


def test_a_message_may_look_like_anything():
    first, second = launches(REJECTED)
    message = (
        "Error: at 1:2:\n\n== other(Y=2) ==\nsm_90: rejected\nlaunch: nothing\n 12| not PTX\nptx for sm_90:\n"
        "  indented\n"
    )
    assert first.rejections == {"sm_80": message, "sm_90": message, "sm_100": "Other\n"}
    assert first.facts == {
        "sm_80": {},
        "sm_90": {},
        "sm_100": {},
        "gfx942": {"shared": "0 B", "registers": "1"},
    }
    assert (first.title, first.kernel, first.launch, first.ptx) == ("k(X=1)", "k", "x *fp32, num_warps=4", ())
    assert (second.title, second.rejections) == ("k(X=1) #2", {})
    assert written([first, second]) == REJECTED


@pytest.mark.parametrize(
    "title", ["k()", "k(ACT=gelu, BLOCK=16) #12", "k(F=<function f at x>)", "k(T=(1, 2), S= == )", "_k1(é=1)"]
)
def test_a_title_names_its_kernel(title):
    (launch,) = launches(f"== {title} ==\nlaunch: x\n")
    assert (launch.title, launch.kernel) == (title, title.partition("(")[0])


@pytest.mark.parametrize(
    "text", ["", "\n", "no kernel is launched\n", "== a section ==\nx: 1\n", "sm_80: rejected\n"]
)
def test_what_holds_no_launch_gives_none(text):
    assert launches(text) == []


@pytest.mark.parametrize(
    "line", ["sm_90: nonsense", "sm_90: ,", "sm_90: a, , b c", "sm_90: rejected, as for sm_80"]
)
def test_a_line_edited_by_hand_is_no_crash(line):
    (launch,) = launches(f"== k() ==\n{line}\n")
    assert list(launch.facts) == ["sm_90"]


def test_instructions_are_listed_with_their_line():
    (launch,) = launches(
        "== k() ==\nsm_90: shared 0 B\nptx for sm_90:\n   0| ret;\n  12| add %r1, a | b;\n1234| x;\n"
    )
    assert launch.ptx == ((0, "ret;"), (12, "add %r1, a | b;"), (1234, "x;"))
