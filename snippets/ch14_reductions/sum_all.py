"""14.4: the sum of a whole tensor, in two passes."""

from functools import cache

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, FLOATS

BLOCK = 4096  # elements that a program reads at a time
LENGTH = 2 * BLOCK  # elements of a part


# --8<-- [start:kernel]
@triton.jit
def sum_parts_kernel(
    x_ptr,  # n floats, contiguous
    part_ptr,  # one float32 for each program
    n,  # elements of x
    length,  # elements of one part
    BLOCK: tl.constexpr,  # elements that a program reads at a time
    EVICT: tl.constexpr,  # "evict_first": nobody reads x again
    OVERLAP: tl.constexpr = "",  # "first" or "second" of two launches
):
    if OVERLAP == "first":  # the next launch may take its place now
        tl.extra.cuda.gdc_launch_dependents()
    if OVERLAP == "second":  # until the first has stored everything
        tl.extra.cuda.gdc_wait()
    part = tl.program_id(0).to(tl.int64)
    begin = part * length
    end = tl.minimum(begin + length, n)
    lane = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(begin, end, BLOCK):
        place = start + lane
        mask = place < end
        x = tl.load(
            x_ptr + place, mask=mask, other=0.0, eviction_policy=EVICT
        )
        total += x.to(tl.float32)
    tl.store(part_ptr + part, tl.sum(total, axis=0))
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_floats(x: torch.Tensor) -> None:
    if x.dtype not in FLOATS:
        raise TypeError(f"x is {x.dtype}, wanted one of {FLOATS}")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if not x.is_contiguous():
        raise ValueError(
            f"x must be contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )


@cache
def launches_overlap():
    """NVIDIA's GPUs from Hopper on let two launches overlap."""
    if DEVICE == "cpu" or torch.version.cuda is None:
        return False
    return torch.cuda.get_device_capability()[0] >= 9


def sum_all(x, length=LENGTH, block=BLOCK, overlap=False):
    """The sum of all elements in float32, a tensor without axes."""
    check_floats(x)
    n = x.numel()
    parts = max(1, triton.cdiv(n, length))
    overlap = overlap and parts > 1 and launches_overlap()
    out = torch.empty((), dtype=torch.float32, device=x.device)
    scratch = out if parts == 1 else out.new_empty(parts)
    sum_parts_kernel[(parts,)](
        x, scratch, n, length, BLOCK=block, EVICT="evict_first",
        OVERLAP="first" if overlap else "", num_warps=16,
    )  # fmt: skip
    if parts > 1:
        second = min(8192, triton.next_power_of_2(parts))
        how = {"OVERLAP": "second", "launch_pdl": True}
        sum_parts_kernel[(1,)](
            scratch, out, parts, triton.cdiv(parts, second) * second,
            BLOCK=second, EVICT="", num_warps=32,
            **(how if overlap else {}),
        )  # fmt: skip
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.4.1 ten elements in three parts ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 11.0, device=DEVICE)
    scratch = torch.empty(3, device=DEVICE)
    sum_parts_kernel[(3,)](x, scratch, 10, 4, BLOCK=2, EVICT="")
    print(f"parts of four: {scratch.tolist()}")
    print(f"sum: {sum_all(x, length=4, block=2).item()}")
    empty = torch.empty(0, 5, device=DEVICE)
    print(f"no elements: {sum_all(empty).item()}")
    # --8<-- [end:demo]
