"""18.4: a static assert in the kernel and one in a function that it
calls, and what a search makes of each."""

# /// capture
# runners = ["compiler"]
# no_gpu = "It reads what compiling raises, and launches nothing."
# ///

import torch
import triton
import triton.language as tl

SIZES = (2048, 256)  # the first is asserted away


# --8<-- [start:demo]
@triton.jit
def check_block(
    BLOCK: tl.constexpr,  # elements of a program
):
    tl.static_assert(BLOCK <= 1024)


@triton.jit
def fill_kernel(
    out_ptr,  # where n zeros go
    n,  # how many
    BLOCK: tl.constexpr,  # elements of a program
    DEEP: tl.constexpr,  # assert in a function, not here
):
    if DEEP:
        check_block(BLOCK)
    else:
        tl.static_assert(BLOCK <= 1024)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, 0.0, mask=at < n)


def first_wins(kernel_call, quantiles):
    kernel_call()
    return [1.0 for _ in quantiles]


out = torch.empty(100)
for place, deep in (("in the kernel", False), ("in a function", True)):
    print(f"== 18.4 a static assert {place} ==")
    kernel = triton.autotune(
        [triton.Config({"BLOCK": block}) for block in SIZES],
        key=["n"],
        do_bench=first_wins,
    )(fill_kernel)
    try:
        kernel[(1,)](out, 100, DEEP=deep)
        times = kernel.configs_timings.values()
        print("times:", [t[0] for t in times])
    except triton.CompilationError as error:
        print("raised:", type(error).__name__)
# --8<-- [end:demo]
