"""11.4: what each precision costs on a GPU, and what cuBLAS needs
for the same."""

# /// capture
# runners = ["gpu"]
# timeout = 400
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.25 }
# "* of torch" = { kind = "measured", within = 0.3 }
# "* error" = { kind = "bound", limit = 5e-3 }
# ///

import torch
import triton
import triton.testing

from ch11_hardware.matmul import matmul

SIZE = 4096  # rows and columns of the matrices
TILES = {
    "tf32": ((128, 128, 32), 8),
    "tf32x3": ((128, 128, 32), 8),
    "ieee": ((64, 64, 32), 4),
}


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.manual_seed(0)
a = torch.randn(SIZE, SIZE, device="cuda")
b = torch.randn(SIZE, SIZE, device="cuda")
exact = a.double() @ b.double()
operations = 2 * SIZE**3
print("operations:", operations)


def report(name, fn, ceiling=None):
    rate = operations / median_ms(fn) / 1e9
    print(f"{name} TFLOP/s: {rate:.1f}")
    if ceiling is not None:
        print(f"{name} of torch: {rate / ceiling:.3f}")
    error = (fn().double() - exact).abs().max() / exact.abs().max()
    print(f"{name} error: {error:.1e}")
    return rate


torch.set_float32_matmul_precision("highest")
whole = report("torch float32", lambda: a @ b)
torch.set_float32_matmul_precision("high")
short = report("torch tf32", lambda: a @ b)
for precision, (tile, warps) in TILES.items():

    def tiled(right=b):
        options = {"num_warps": warps, "precision": precision}
        return matmul(a, right, tile, **options)[0]

    ceiling = short if precision == "tf32" else whole
    report(precision, tiled, ceiling)
b_columns = b.T.contiguous().T
precision, (tile, warps) = "tf32", TILES["tf32"]
report("tf32, b by columns", lambda: tiled(b_columns), short)
# --8<-- [end:time]
