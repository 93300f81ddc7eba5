"""Shares are disjoint and complete, and about equal; the longest program starts first."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from executed.schedule import cost, longest_first, shard
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


def test_what_is_compiled_often_comes_first(root):
    from executed.discover import discover

    book = discover(root).snippets
    ordered = [snippet.name for snippet in longest_first(list(book.values()))]
    assert ordered.index("ch02_parameterization/autotune_counting") < ordered.index("ch02_parameterization/config_objects")
