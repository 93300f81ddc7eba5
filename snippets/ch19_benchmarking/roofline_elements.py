"""19.4: the kernels of chapters 1 to 12 under the roof."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "copy TB/s" = { kind = "measured", within = 0.15 }
# "* TOP/s" = { kind = "measured", within = 0.25 }
# "ch*" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton
import triton.language as tl

from ch01_model.fold import columns_kernel, fixed_columns_kernel
from ch01_model.relu_toggle import _relu_toggle_kernel
from ch01_model.skip_block import cut_down_kernel
from ch01_model.where_abs import abs_where_kernel
from ch01_model.who_am_i import who_am_i_kernel
from ch02_parameterization.activation import fused_activation
from ch02_parameterization.function_parameter import map_with
from ch02_parameterization.function_parameter import squared_relu
from ch02_parameterization.scratch import run_with_scratch
from ch03_layout.interleaved import interleaved_copy_kernel
from ch03_layout.known_length import known_copy_kernel
from ch03_layout.records import field_kernel, energy_kernel
from ch03_layout.records import whole_records_kernel
from ch03_layout.split_tail import split_copy_kernel
from ch03_layout.strided import strided_kernel
from ch03_layout.transpose import naive_transpose_kernel
from ch03_layout.transpose import tiled_transpose_kernel
from ch03_layout.views import copy_kernel
from ch04_pointers.broadcast_add import broadcast_add
from ch04_pointers.descriptor_copy import copy_by_host_descriptor
from ch04_pointers.descriptor_copy import copy_by_made_descriptor
from ch04_pointers.step import bytes_kernel
from ch04_pointers.tile_copy import copy2d
from ch05_grids.chained import window_kernel
from ch05_grids.cover import owner_kernel
from ch05_grids.cover_2d import visits_kernel
from ch05_grids.mask_and import even_kernel
from ch05_grids.mask_cost import mask_cost_kernel
from ch05_grids.other import lanes_kernel
from ch05_grids.padding import reductions_kernel
from ch05_grids.softmax_pad import softmax_kernel, variance_kernel
from ch05_grids.swizzle import double_kernel
from ch06_contract.silu import silu
from ch06_contract.silu_grad import silu_backward
from ch06_contract.strided_scale import scale
from ch07_numerics.cast import cast
from ch07_numerics.dot_rows import dot_rows_kernel
from ch07_numerics.functions import function_kernel
from ch07_numerics.half_squares import rms_norm
from ch07_numerics.masked_softmax import masked_softmax
from ch07_numerics.row_sums import row_sum
from ch08_allocation.centre import centre
from ch08_allocation.column_sums import column_sums
from ch08_allocation.compact import positives
from ch08_allocation.difference import difference_kernel
from ch09_debugging.bisect_steps import gated_norm
from ch09_debugging.counted_check import checked_sqrt
from ch12_elementwise.fma_relu import fma_relu_kernel
from ch12_elementwise.gelu_exact import gelu_exact_kernel
from ch12_elementwise.gelu_tanh import gelu_tanh_approx_kernel
from ch12_elementwise.three_kernels import add_kernel, mul_kernel
from ch12_elementwise.three_kernels import relu_kernel
from ch19_benchmarking.roofline import show_points

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def run(kernel, n, *args, block=1024, **options):
    """A launch over n elements, as a function of no arguments."""
    grid = (triton.cdiv(n, block),)
    return lambda: kernel[grid](*args, BLOCK=block, **options)


# --8<-- [start:moves]
def moves(n):
    """Name, operations, bytes, tensor cores?, launch; n elements."""
    cols = 4096
    rows, some = n // cols, n // 4
    x, out = torch.randn(2, n, device=DEVICE)
    table, target = x.view(rows, cols), out.view(rows, cols)
    whole = torch.empty(2, n, dtype=torch.int32, device=DEVICE)
    records, apart = x.view(some, 4), x.view(4, some).T
    tiles = rows * triton.cdiv(cols, 1024)
    squares = triton.cdiv(rows, 64) * triton.cdiv(cols, 64)
    strips = triton.cdiv(rows, 16) * triton.cdiv(cols, 64)
    first = torch.empty(n // 1024 + 1, dtype=torch.int32, device=DEVICE)
    one = x[None, :cols]
    # Where nothing is computed, an element moved counts as one
    # operation. A float32 read and written is 8 bytes.
    return [
        ("ch01._relu_toggle_kernel", n, 8 * n, False,
         run(_relu_toggle_kernel, n, x, out, n, USE_RELU=True)),
        # a remainder and a difference, written as int32
        ("ch01.columns_kernel", 2 * n, 4 * n, False,
         run(columns_kernel, n, whole, n, 1000)),
        ("ch01.fixed_columns_kernel", 2 * n, 4 * n, False,
         run(fixed_columns_kernel, n, whole, n, WIDTH=1000)),
        # after the first call there is nothing left to cut
        ("ch01.cut_down_kernel", 2 * n, 4 * n, False,
         run(cut_down_kernel, n, x.clone(), first, n, 2.5)),
        # a comparison and a change of sign
        ("ch01.abs_where_kernel", 2 * n, 8 * n, False,
         run(abs_where_kernel, n, x, out, n)),
        ("ch01.who_am_i_kernel", 2 * n, 8 * n, False,
         run(who_am_i_kernel, n, *whole, n)),
        # GELU: two products, erf, a sum, a product
        ("ch02.fused_activation_kernel", 5 * n, 8 * n, False,
         lambda: fused_activation(x, "gelu")),
        ("ch02.map_kernel", 2 * n, 8 * n, False,
         lambda: map_with(squared_relu, x)),
        ("ch02.partial_sums_kernel", 2 * n, 4 * n, False,
         lambda: run_with_scratch(x)),
        ("ch03.copy_kernel", n, 8 * n, False,
         run(copy_kernel, n, x, out, n)),
        ("ch03.interleaved_copy_kernel", n, 8 * n, False,
         run(interleaved_copy_kernel, n, x, out, n)),
        ("ch03.known_copy_kernel", n, 8 * n, False,
         run(known_copy_kernel, n, x, out, N=n)),
        ("ch03.split_copy_kernel", n, 8 * n, False,
         run(split_copy_kernel, n, x, out, n)),
        # one of four fields, which lies among the others
        ("ch03.field_kernel", some, 8 * some, False,
         run(field_kernel, some, records, out, some, 4, 1, 1)),
        ("ch03.energy_kernel", 7 * some, 20 * some, False,
         run(energy_kernel, some, apart, out, some, 1, some)),
        ("ch03.whole_records_kernel", 7 * some, 20 * some, False,
         run(whole_records_kernel, some, records, out, some)),
        ("ch03.strided_kernel", n // 16, n // 2, False,
         run(strided_kernel, n // 16, x, out, n // 16, 16)),
        ("ch03.naive_transpose_kernel", n, 8 * n, False,
         lambda: naive_transpose_kernel[(tiles,)](
             x, out, rows, cols, BLOCK=1024)),
        ("ch03.tiled_transpose_kernel", n, 8 * n, False,
         lambda: tiled_transpose_kernel[(squares,)](
             x, out, rows, cols, TILE=64)),
        ("ch04.add2d_kernel", n, 8 * n, False,
         lambda: broadcast_add(table, one)),
        ("ch04.copy_tile_kernel", n, 8 * n, False,
         lambda: copy2d(table, target)),
        ("ch04.copy_host_kernel", n, 8 * n, False,
         lambda: copy_by_host_descriptor(table, target, 64, 64)),
        ("ch04.copy_made_kernel", n, 8 * n, False,
         lambda: copy_by_made_descriptor(table, target, 64, 64)),
        ("ch04.bytes_kernel", n, 2 * n, False,
         run(bytes_kernel, n, x, whole.view(torch.uint8), n)),
        ("ch05.owner_kernel", n, 4 * n, False,
         run(owner_kernel, n, whole, n)),
        # an atomic add reads and writes
        ("ch05.visits_kernel", n, 8 * n, False,
         lambda: visits_kernel[
             (triton.cdiv(rows, 16), triton.cdiv(cols, 64))
         ](whole, rows, cols, TILE_M=16, TILE_N=64, FLAT=False)),
        ("ch05.window_kernel", n, 4 * n, False,
         run(window_kernel, n, whole, 0, n)),
        # every second element
        ("ch05.even_kernel", n // 2, 2 * n, False,
         run(even_kernel, n, whole, n)),
        ("ch05.mask_cost_kernel", n, 8 * n, False,
         run(mask_cost_kernel, n, x, out, n, MASKED=True)),
        ("ch05.lanes_kernel", n, 8 * n, False,
         run(lanes_kernel, n, x, out, n, OTHER=0.0)),
        # sum, maximum and minimum of each row
        ("ch05.reductions_kernel", 3 * n, 4 * n, False,
         lambda: reductions_kernel[(rows,)](
             x, out, cols, 0.0, BLOCK=cols)),
        # maximum, difference, exponential, sum, quotient
        ("ch05.softmax_kernel", 5 * n, 8 * n, False,
         lambda: softmax_kernel[(rows,)](
             x, out, cols, float("-inf"), BLOCK=cols)),
        # sum, difference, product, sum
        ("ch05.variance_kernel", 4 * n, 4 * n, False,
         lambda: variance_kernel[(rows,)](
             x, out, cols, AGAIN=True, BLOCK=cols)),
        ("ch05.double_kernel", n, 8 * n, False,
         lambda: double_kernel[(strips,)](
             x, out, rows, cols, TILE_M=16, TILE_N=64, GROUP=8)),
    ]  # fmt: skip
# --8<-- [end:moves]


# --8<-- [start:numbers]
def numbers(n):
    """Name, operations, bytes, tensor cores?, launch; n elements."""
    cols = 4096
    rows = n // cols
    x, grad, out = torch.randn(3, n, device=DEVICE)
    table, gate = x.view(rows, cols), grad.view(rows, cols)
    half, above = table.half(), x.abs()
    weight, sums = torch.randn(2, max(rows, cols), device=DEVICE)
    weight = weight[:cols]
    return [
        ("ch06.scale_kernel", n, 8 * n, False,
         lambda: scale(table, 2.0)),
        # a change of sign, exponential, sum, quotient
        ("ch06.silu_kernel", 4 * n, 8 * n, False, lambda: silu(x)),
        ("ch06.silu_backward_kernel", 9 * n, 12 * n, False,
         lambda: silu_backward(grad, x)),
        # float32 to bfloat16
        ("ch07.cast_kernel", n, 6 * n, False,
         lambda: cast(x, torch.bfloat16)),
        ("ch07.dot_rows_kernel", 2 * n, 2 * n, False,
         lambda: dot_rows_kernel[(rows,)](
             half, weight.half(), sums, cols, ACC=tl.float32,
             BLOCK=1024)),
        # float16: product, sum, quotient
        ("ch07.rms_norm_kernel", 3 * n, 4 * n, False,
         lambda: rms_norm(half)),
        ("ch07.function_kernel", n, 8 * n, False,
         run(function_kernel, n, x, x, out, n, NAME="exp")),
        # maximum, difference, exponential, sum, quotient
        ("ch07.masked_softmax_kernel", 5 * n, 8 * n, False,
         lambda: masked_softmax(table)),
        # Kahan's sum: four additions for each element
        ("ch07.row_sum_kernel", 4 * n, 4 * n, False,
         lambda: row_sum(table, "kahan", 1024)),
        ("ch08.centre_kernel", 2 * n, 8 * n, False,
         lambda: centre(table)),
        ("ch08.column_sums_kernel", n, 4 * n, False,
         lambda: column_sums(table)),
        # a comparison and a sum; half of the elements are kept
        ("ch08.keep_kernel", 2 * n, 6 * n, False,
         lambda: positives(x)),
        ("ch08.difference_kernel", n, 8 * n, False,
         run(difference_kernel, n, x, out, n, LAST_FIRST=False)),
        # a comparison, its sum, a root
        ("ch09.checked_sqrt_kernel", 3 * n, 8 * n, False,
         lambda: checked_sqrt(above)),
        # a norm, a weight, a sigmoid, a product, two limits
        ("ch09.gated_norm_kernel", 11 * n, 12 * n, False,
         lambda: gated_norm(table, gate, weight, mended=True)),
        ("ch12.fma_relu_kernel", 3 * n, 8 * n, False,
         run(fma_relu_kernel, n, x, out, 1.1, -0.3, n)),
        ("ch12.mul_kernel", n, 8 * n, False,
         run(mul_kernel, n, x, out, 1.1, n)),
        ("ch12.add_kernel", n, 8 * n, False,
         run(add_kernel, n, x, out, -0.3, n)),
        ("ch12.relu_kernel", n, 8 * n, False,
         run(relu_kernel, n, x, out, n)),
        # two products, erf, a sum, a product
        ("ch12.gelu_exact_kernel", 5 * n, 8 * n, False,
         run(gelu_exact_kernel, n, x, out, n)),
        # as the chapter writes it, the sigmoid counting four
        ("ch12.gelu_tanh_approx_kernel", 15 * n, 8 * n, False,
         run(gelu_tanh_approx_kernel, n, x, out, n)),
    ]  # fmt: skip
# --8<-- [end:numbers]


if __name__ == "__main__":
    torch.manual_seed(0)
    show_points({
        "chapters 1 to 5": moves(2**27),
        "chapters 6 to 12": numbers(2**27),
    })
