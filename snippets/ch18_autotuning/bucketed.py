"""18.3: a key that is coarser than the sizes: a parameter of its own,
which the kernel does not read."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import check_rows, sum_rows_kernel
from ch18_autotuning.sum_space import sum_config

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit(do_not_specialize=["rows_about", "cols_about"])
def sum_bucket_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    out_ptr,  # one float32 for each row
    rows,  # rows of x
    cols,  # elements of a row
    x_row,  # elements from one row of x to the next
    rows_about,  # rows, rounded: for the autotuner's key alone
    cols_about,  # cols, rounded: for the autotuner's key alone
    ROWS: tl.constexpr,  # rows of one program, a power of two
    COLS: tl.constexpr,  # elements read of each at a time, too
    EVICT: tl.constexpr,  # "evict_first": nobody reads x again
):
    sum_rows_kernel(
        x_ptr, out_ptr, rows, cols, x_row, ROWS, COLS, EVICT
    )
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def about(size):
    """The next power of four: few keys, and sizes in one bucket
    differ by less than four times."""
    return 4 ** triton.cdiv(max(size - 1, 0).bit_length(), 2)


def run_bucketed(kernel, x):
    """The sum of each row, by a kernel tuned for sizes like these."""
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, dtype=torch.float32, device=x.device)
    if rows > 0:
        kernel[lambda meta: (triton.cdiv(rows, meta["ROWS"]),)](
            x, out, rows, cols, x.stride(0), about(rows), about(cols)
        )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 18.3.2 keys of three kinds ==")
    # --8<-- [start:demo]
    TALL = [sum_config(1, 64, 4), sum_config(4, 64, 4)]
    KEYS = {
        "exact": ["rows", "cols"],
        "rounded": ["rows_about", "cols_about"],
        "none": [],
        "misspelt": ["rows", "clos"],
    }

    def searches_with(key, shapes):
        """How many searches, and whether every sum was right."""
        calls = []

        def count(kernel_call, quantiles):
            calls.append(kernel_call())
            return [float(len(calls)) for _ in quantiles]

        kernel = triton.autotune(TALL, key=key, do_bench=count)(
            sum_bucket_kernel
        )
        right = True
        for shape in shapes:
            x = torch.ones(shape, device=DEVICE)
            right &= torch.equal(run_bucketed(kernel, x), x.sum(1))
        return len(calls) // len(TALL), right

    print("about 1, 100, 256, 257:", *map(about, (1, 100, 256, 257)))
    shapes = [(6, cols) for cols in (90, 100, 110, 120, 300)]
    for title, key in KEYS.items():
        searches, right = searches_with(key, shapes)
        print(f"{title}, searches for 5 shapes: {searches}")
        print(f"{title}, all right: {right}")
    # --8<-- [end:demo]
