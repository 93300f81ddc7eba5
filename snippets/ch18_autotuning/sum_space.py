"""18.1: the row sums of 14.2 with a search in front of them."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It times nothing; search_sum does."
# ///

import torch
import triton

from ch14_reductions.sum_rows import check_rows, sum_rows_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:space]
def sum_config(rows, tile, warps):
    """A tile of so many elements, in so many rows."""
    shape = {"ROWS": rows, "COLS": tile // rows}
    shape |= {"EVICT": "evict_first"}
    return triton.Config(shape, num_warps=warps)


SUM_SPACE = [
    sum_config(rows, tile, warps)
    for rows in (1, 4, 16)
    for tile in (1024, 4096, 16384)
    for warps in (4, 16)
]


def short_bench(kernel_call, quantiles):
    """do_bench's default takes five times as long a config."""
    return triton.testing.do_bench(
        kernel_call, warmup=5, rep=20, quantiles=quantiles
    )


def tuned_sum(configs=SUM_SPACE, **options):
    """sum_rows_kernel under a new autotuner, with an empty cache."""
    options = {"do_bench": short_bench} | options
    return triton.autotune(
        configs, key=["rows", "cols"], **options
    )(sum_rows_kernel)


def run_sum(kernel, x):
    """The sum of each row in float32, by an autotuned kernel."""
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, dtype=torch.float32, device=x.device)
    if rows > 0:
        kernel[lambda meta: (triton.cdiv(rows, meta["ROWS"]),)](
            x, out, rows, cols, x.stride(0)
        )
    return out
# --8<-- [end:space]


# --8<-- [start:ahead]
def compile_ahead(kernel, pool, *args):
    """Every config of an autotuned kernel, compiled side by side."""
    list(
        pool.map(
            lambda config: kernel.fn.warmup(
                *args, grid=(1,), **config.all_kwargs()
            ),
            kernel.configs,
        )
    )
# --8<-- [end:ahead]


if __name__ == "__main__":
    print("== 18.1.1 the space ==")
    # --8<-- [start:demo]
    print("configs:", len(SUM_SPACE))
    print("first:", SUM_SPACE[0].all_kwargs())
    print("last:", SUM_SPACE[-1].all_kwargs())
    seen = []

    def pretend(kernel_call, quantiles):
        kernel_call()
        seen.append(len(seen))
        return [abs(len(seen) - 5.0)] * 3

    kernel = tuned_sum(do_bench=pretend)
    x = torch.arange(60.0, device=DEVICE).reshape(3, 20)
    print("right:", torch.equal(run_sum(kernel, x), x.sum(1)))
    print("trials:", len(seen))
    # --8<-- [end:demo]
