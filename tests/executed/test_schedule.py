"""Shares are disjoint and complete, and about equal; the longest program starts first."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from executed.result import Result
from executed.run import Program
from executed.runners import RUNNERS
from executed.schedule import cost, longest_first, remember, shard
from executed.snippet import Settings, Snippet

FEW = Settings(runners=("interpreter",))
SNIPPETS = st.lists(
    st.builds(
        lambda number, settings: Snippet(f"ch01/s{number}", Path(f"/nowhere/s{number}.py"), "", settings),
        st.integers(0, 10**6), st.sampled_from([FEW, Settings()]),
    ),
    unique_by=lambda snippet: snippet.name, max_size=40,
)


@given(SNIPPETS, st.integers(1, 8))
def test_shares_are_disjoint_and_their_union_is_everything(snippets, count):
    shares = [shard(snippets, index, count) for index in range(1, count + 1)]
    assert sorted(s.name for share in shares for s in share) == sorted(s.name for s in snippets)


@given(SNIPPETS, st.integers(1, 8))
def test_shares_differ_by_no_more_than_one_program(snippets, count):
    totals = [sum(map(cost, shard(snippets, index, count))) for index in range(1, count + 1)]
    assert max(totals) - min(totals) <= max(map(cost, snippets), default=0) + 1e-9


@given(SNIPPETS, st.randoms())
def test_every_machine_comes_to_the_same_shares(snippets, draw):
    shuffled = list(snippets)
    draw.shuffle(shuffled)
    assert shard(shuffled, 1, 3) == shard(snippets, 1, 3)


def programs(snippets) -> list[Program]:
    return [Program(snippet, "", RUNNERS["interpreter"]) for snippet in snippets]


def test_what_is_compiled_often_comes_first(root, tmp_path):
    from executed.discover import discover

    book = discover(root).snippets
    ordered = [program.snippet.name for program in longest_first(tmp_path, programs(book.values()))]
    assert ordered.index("ch02_parameterization/autotune_counting") < ordered.index("ch02_parameterization/config_objects")


@given(st.lists(st.floats(0, 600), min_size=1, max_size=20))
def test_once_run_what_took_longest_comes_first(seconds):
    snippets = [Snippet(f"ch01/s{i}", Path(f"s{i}.py"), "", FEW) for i in range(len(seconds))]
    results = [
        Result(snippet, "interpreter", "CPU", "", 0, None, took, "", None) for snippet, took in zip(snippets, seconds)
    ]
    with tempfile.TemporaryDirectory() as folder:
        remember(Path(folder), results)
        ordered = longest_first(Path(folder), programs(snippets))
    took = dict(zip([snippet.name for snippet in snippets], seconds))
    there = [took[program.snippet.name] for program in ordered]
    assert all(a >= b - 1e-3 for a, b in zip(there, there[1:]))


def test_a_broken_note_of_durations_is_no_reason_to_stop(tmp_path):
    (tmp_path / ".cache" / "executed").mkdir(parents=True)
    (tmp_path / ".cache" / "executed" / "seconds.json").write_text("{")
    snippet = Snippet("ch01/a", Path("a.py"), "", FEW)
    assert len(longest_first(tmp_path, programs([snippet]))) == 1
