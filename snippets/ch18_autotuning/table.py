"""18.5.1: a table of winners in a file, and a wrapper that reads it
and never searches."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import json
from pathlib import Path

import torch
import triton

from ch14_reductions.sum_rows import check_rows, sum_rows_kernel
from ch18_autotuning.bucketed import about
from ch18_autotuning.sum_space import run_sum, sum_config, tuned_sum

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:table]
def device_name(x):
    if x.device.type == "cpu":
        return "interpreter"
    return torch.cuda.get_device_name(x.device)


def place(x):
    """Where the table keeps what is best for a matrix like x."""
    rows, cols = map(about, x.shape)
    return f"{device_name(x)}, {x.dtype}, {rows} x {cols}"


def tune(table, x, configs, **options):
    """Search for x, and write the winner down."""
    kernel = tuned_sum(configs, **options)
    run_sum(kernel, x)
    table[place(x)] = kernel.best_config.all_kwargs()


DEFAULT = sum_config(1, 4096, 16).all_kwargs()


def sum_by_table(table, x):
    """The sum of each row, with no search: the table's config, or
    the default where the table has none."""
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, dtype=torch.float32, device=x.device)
    config = table.get(place(x), DEFAULT)
    if rows > 0:
        sum_rows_kernel[(triton.cdiv(rows, config["ROWS"]),)](
            x, out, rows, cols, x.stride(0), **config
        )
    return out
# --8<-- [end:table]


if __name__ == "__main__":
    print("== 18.5.1 tuned once, then read ==")
    # --8<-- [start:demo]
    GIVEN_MS = iter((3.0, 1.0, 2.0))  # invented: the second config wins

    def given(kernel_call, quantiles):
        kernel_call()
        ms = next(GIVEN_MS)
        return [ms for _ in quantiles]

    table = {}
    x = torch.ones(6, 90, device=DEVICE)
    configs = [sum_config(r, 64, 4) for r in (1, 4, 16)]
    tune(table, x, configs, do_bench=given)
    Path("sums.json").write_text(json.dumps(table, indent=1))

    table = json.loads(Path("sums.json").read_text())
    print("entries:", len(table))
    print("kept:", *table.values())
    for shape in ((6, 90), (7, 100), (6, 900)):
        x = torch.ones(shape, device=DEVICE)
        found = "found" if place(x) in table else "default"
        right = torch.equal(sum_by_table(table, x), x.sum(1))
        print(f"{shape[0]} x {shape[1]}: {found}, right {right}")
    # --8<-- [end:demo]
