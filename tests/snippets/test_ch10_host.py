"""The arithmetic of chapter 10, and what its streams carry. Its launches, streams and errors need a GPU and are captured there."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch10_host.absent import SIGNATURE, TARGETS
from ch10_host.occupancy import SM_90, residents, up
from ch12_elementwise.fma_relu import fma_relu_kernel, fused_fma_relu


@given(st.integers(0, 10**6), st.sampled_from([1, 128, 256, 1024]))
def test_up_is_the_next_multiple(value, multiple):
    result = up(value, multiple)
    assert result % multiple == 0 and 0 <= result - value < multiple


@given(st.integers(1, 255), st.sampled_from([1, 2, 4, 8, 16, 32]), st.integers(0, 232448))
def test_residents_never_exceed_the_multiprocessor(registers, warps, shared):
    fit = min(residents(registers, warps, shared).values())
    assert fit * warps <= SM_90["warps"] and fit <= SM_90["programs"]
    assert fit * warps * 32 * registers <= SM_90["registers"]
    assert fit * (shared + 1024) <= SM_90["shared"]


@given(st.integers(1, 254), st.sampled_from([1, 2, 4, 8]), st.integers(0, 232447))
def test_more_of_anything_never_fits_more_programs(registers, warps, shared):
    fit = min(residents(registers, warps, shared).values())
    assert min(residents(registers + 1, warps, shared).values()) <= fit
    assert min(residents(registers, 2 * warps, shared).values()) <= fit
    assert min(residents(registers, warps, shared + 1).values()) <= fit


ASKED = [  # registers, warps, shared bytes: programs, as an H200's driver counts
    (18, 4, 0, 16),
    (46, 1, 0, 32),
    (120, 4, 0, 4),
    (59, 4, 24576, 8),
    (198, 4, 98304, 2),
    (193, 8, 196608, 1),
]


@pytest.mark.parametrize(("registers", "warps", "shared", "programs"), ASKED)
def test_residents_are_what_the_driver_of_an_h200_said(registers, warps, shared, programs):
    assert min(residents(registers, warps, shared).values()) == programs


@pytest.mark.parametrize(("registers", "warps", "shared", "programs"), ASKED)
def test_the_six_do_not_tell_the_finer_rules_apart(registers, warps, shared, programs):
    """As the page says: no quarters, no pieces, no bytes of the system, and the same six counts."""
    limits = [SM_90["warps"] // warps, SM_90["programs"], SM_90["registers"] // (32 * registers * warps)]
    if shared:
        limits.append(SM_90["shared"] // shared)
    assert min(limits) == programs


@pytest.mark.parametrize(("registers", "warps", "programs"), [(128, 4, 4), (128, 8, 2), (168, 8, 1)])
def test_residents_are_what_the_page_works_out_by_hand(registers, warps, programs):
    assert residents(registers, warps, 0)["registers"] == programs


def test_the_largest_shared_memory_fits_once():
    assert residents(32, 4, 232448)["shared"] == 1
    assert residents(32, 4, 232449)["shared"] == 0


def test_the_signature_names_every_argument_of_the_kernel():
    assert list(SIGNATURE) == list(fma_relu_kernel.arg_names)
    assert set(TARGETS) == {"sm_80", "sm_90", "sm_100", "gfx942"}


@pytest.mark.parametrize("n", [0, 1, 3, 1023, 1024, 1025, 3001])
def test_what_the_streams_carry_is_right_at_every_size(n):
    x = torch.linspace(-3, 3, n)
    truth = torch.relu(10 * x.double())
    assert worst_over_budget(fused_fma_relu(x, 10.0, 0.0), truth, 2) <= 1
