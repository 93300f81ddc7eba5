"""18.4: a block that follows from the size, and rows that are tuned."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton

from ch15_softmax.rows import as_rows
from ch15_softmax.softmax import softmax_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
HEIGHTS = [
    triton.Config({"ROWS": rows}, num_warps=4) for rows in (1, 4)
]


def first_wins(kernel_call, quantiles):
    kernel_call()
    return [1.0 for _ in quantiles]


search = triton.autotune(HEIGHTS, key=["cols"], do_bench=first_wins)
by_size = triton.heuristics(
    {"BLOCK": lambda args: triton.next_power_of_2(args["cols"])}
)
by_tile = triton.heuristics(
    {"BLOCK": lambda args: 64 // args["ROWS"]}
)


def softmax_with(kernel, x):
    x = as_rows("x", x)
    out = torch.empty_like(x)
    rows, cols = x.shape
    if out.numel() > 0:
        kernel[lambda meta: (triton.cdiv(rows, meta["ROWS"]),)](
            x, out, rows, cols, x.stride(0), out.stride(0)
        )
    return out


x = torch.log(torch.arange(1.0, 31.0, device=DEVICE)).reshape(3, 10)
exact = torch.softmax(x.double(), 1)
print("== 18.4 a heuristic under a search ==")
for title, kernel in (
    ("search, then heuristic", search(by_size(softmax_kernel))),
    ("heuristic, then search", by_size(search(softmax_kernel))),
    ("asks for ROWS, inside", search(by_tile(softmax_kernel))),
    ("asks for ROWS, outside", by_tile(search(softmax_kernel))),
):
    try:
        error = (softmax_with(kernel, x) - exact).abs().max()
        print(f"{title}: right {bool(error < 1e-6)}")
    except KeyError as missing:
        print(f"{title}: KeyError {missing}")
# --8<-- [end:demo]
