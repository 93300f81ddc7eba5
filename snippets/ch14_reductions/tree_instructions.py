"""14.1 and 14.2: what tl.sum becomes for an H200, counted in the
compiled code."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re

import triton
import triton.language as tl

from ch11_hardware.warps import compile_for_h200
from ch14_reductions.block_sum import block_sum_kernel
from ch14_reductions.sum_rows import sum_rows_kernel
from ch14_reductions.tree_each_turn import tree_each_turn_kernel


# --8<-- [start:count]
def count(title, kernel, constants, warps=4):
    compiled = compile_for_h200(kernel, "fp32", constants, warps)
    ptx = compiled.asm["ptx"]
    adds = len(re.findall(r"add\.(?:rn\.)?f32", ptx))
    shuffles = len(re.findall(r"shfl\.sync\.bfly", ptx))
    barriers = len(re.findall(r"bar\.sync", ptx))
    shared = compiled.metadata.shared
    print(
        f"{title}: additions {adds}, shuffles {shuffles}, "
        f"barriers {barriers}, shared bytes {shared}"
    )


print("== a block of 1024 ==")
for warps in (1, 2, 4, 8, 32):
    count(f"num_warps {warps}", block_sum_kernel,
          {"BLOCK": 1024}, warps)
# --8<-- [end:count]
# --8<-- [start:loop]
print("== inside the loop and behind it, BLOCK 1024 ==")


def split_at_the_loop(kernel, constants):
    """Shuffles between the loop's label and its branch, and after."""
    ptx = compile_for_h200(kernel, "fp32", constants).asm["ptx"]
    label = re.search(r"(\$L__BB\d+_\d+):\s*// =>This", ptx)
    end = ptx.rindex(f"bra \t{label[1]};")
    inside = ptx[label.start() : end].count("shfl.sync")
    return inside, ptx[end:].count("shfl.sync")


lanes = {"ROWS": 1, "COLS": 1024, "EVICT": ""}
for title, kernel, constants in (
    ("lanes first", sum_rows_kernel, lanes),
    ("tree each turn", tree_each_turn_kernel, {"BLOCK": 1024}),
):
    inside, behind = split_at_the_loop(kernel, constants)
    print(f"{title}: in the loop {inside}, behind it {behind}")
# --8<-- [end:loop]
