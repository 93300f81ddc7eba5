"""20.5.2: the four-bit product against bfloat16, eager dequantizing,
torch.compile and PyTorch's own, from one row to thousands."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* us" = { kind = "measured", within = 0.3 }
# "* ms" = { kind = "measured", within = 0.3 }
# "* over *" = { kind = "measured", within = 0.4 }
# "* MiB" = { kind = "measured", within = 0.1 }
# "* error" = { kind = "bound", limit = 2e-2 }
# [speed."int4 matmul, 1 row, 28672 x 8192"]
# library = "bfloat16, torch.matmul"
# over_library = "[decode | ROWS 1 int4 over bfloat16]"
# ceiling = "reading the packed weights at a copy's rate"
# of_ceiling = "[decode | reading us] / [decode | ROWS 1 int4 us]"
# [speed."int4 matmul, 16 rows, 28672 x 8192"]
# library = "bfloat16, torch.matmul"
# over_library = "[decode | ROWS 16 int4 over bfloat16]"
# ceiling = "reading the packed weights at a copy's rate"
# of_ceiling = "[decode | reading us] / [decode | ROWS 16 int4 us]"
# [speed."int4 matmul, 4096 rows, 28672 x 8192"]
# library = "torch.compile, dequantize and multiply"
# over_library = "[prefill | forward int4 over torch.compile]"
# ceiling = "bfloat16, torch.matmul"
# of_ceiling = "[prefill | forward int4 over bfloat16]"
# [speed."int4 matmul, gradient of 4096 rows"]
# library = "torch.compile, dequantize and multiply"
# over_library = "[prefill | backward int4 over torch.compile]"
# ceiling = "bfloat16, torch.matmul"
# of_ceiling = "[prefill | backward int4 over bfloat16]"
# ///

import torch

from ch20_fused.contest import median_ms, peak_mib
from ch20_fused.int4_matmul import dequantize, few_rows, int4_backward
from ch20_fused.int4_matmul import int4_matmul, many_rows, quantize

N, K, MANY = 28672, 8192, 4096  # a layer of a model of 70e9 weights
ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def error_of(out, exact):
    return ((out - exact).norm() / exact.norm()).item()


# --8<-- [start:ways]
torch.manual_seed(0)
weight = torch.randn(N, K, device="cuda").bfloat16() / 64
packed, scales = quantize(weight)
del weight
torch.cuda.empty_cache()
wide = dequantize(packed, scales, K)  # for the product in bfloat16


def eager(x):
    return x @ dequantize(packed, scales, K).T


def eager_backward(grad):
    return grad @ dequantize(packed, scales, K)


compiled = torch.compile(eager, dynamic=False)
compiled_backward = torch.compile(eager_backward, dynamic=False)


def pytorch_s():
    """PyTorch's own int4 product, whose weights lie in its own way."""
    q = (wide.float() / scales.T.repeat_interleave(128, 1)).round() + 8
    q = q.to(torch.uint8)
    own = torch._convert_weight_to_int4pack(
        q[:, ::2] << 4 | q[:, 1::2], 8
    )
    zero = torch.stack([scales, torch.zeros_like(scales)], 2)
    return lambda x: torch._weight_int4pack_mm(x, own, 128, zero)
# --8<-- [end:ways]


# --8<-- [start:decode]
print("== decode ==")
other = torch.empty_like(packed)
copy = median_ms(lambda: other.copy_(packed)) / 2 * 1e3
del other
print(f"reading us: {copy:.1f}")
ways = {
    "int4": lambda x: int4_matmul(x, packed, scales),
    "bfloat16": lambda x: x @ wide.T,
    "PyTorch's int4": pytorch_s(),
    "torch.compile": compiled,
}
torch.cuda.empty_cache()
for rows in (1, 16):
    x = torch.randn(rows, K, device="cuda").bfloat16()
    exact = x.double() @ dequantize(packed, scales.double(), K).T
    us = {}
    for name, fn in ways.items():
        print(f"ROWS {rows} {name} error: {error_of(fn(x), exact):.1e}")
        us[name] = 1e3 * median_ms(lambda: fn(x))
        print(f"ROWS {rows} {name} us: {us[name]:.1f}")
    ours = us.pop("int4")
    for name, time in us.items():
        print(f"ROWS {rows} int4 over {name}: {time / ours:.3f}")
    name = f"ROWS {rows} eager"
    print(f"{name} us: {1e3 * median_ms(lambda: eager(x)):.1f}")
    del exact
torch.cuda.empty_cache()
# --8<-- [end:decode]

# --8<-- [start:prefill]
print("== prefill ==")
x = torch.randn(MANY, K, device="cuda").bfloat16()
grad = torch.randn(MANY, N, device="cuda").bfloat16()
for way, given, fns in (
    ("forward", x, {
        "int4": lambda x: int4_matmul(x, packed, scales),
        "bfloat16": lambda x: x @ wide.T,
        "torch.compile": compiled, "eager": eager,
    }),
    ("backward", grad, {
        "int4": lambda g: int4_backward(g, packed, scales, K),
        "bfloat16": lambda g: g @ wide,
        "torch.compile": compiled_backward, "eager": eager_backward,
    }),
):  # fmt: skip
    truth = fns["bfloat16"](given).float()
    ms = {name: [] for name in fns}
    for turn in range(3):  # the device is warm in the last two
        for name, fn in fns.items():
            ms[name].append(median_ms(lambda: fn(given)))
    for name, fn in fns.items():
        ms[name] = min(ms[name][1:])
        print(f"{way} {name} ms: {ms[name]:.3f}")
        peak = peak_mib(lambda: fn(given))
        print(f"{way} {name} peak MiB: {peak:.0f}")
        error = error_of(fn(given).float(), truth)
        print(f"{way} {name}, from bfloat16, error: {error:.1e}")
    ours = ms.pop("int4")
    for name, time in ms.items():
        print(f"{way} int4 over {name}: {time / ours:.3f}")
    del truth
# --8<-- [end:prefill]

# --8<-- [start:between]
print("== between ==")
for rows in ROWS:
    x = torch.randn(rows, K, device="cuda").bfloat16()
    for name, fn in (
        ("read packed", lambda x: few_rows(x, packed, scales)),
        ("unpacked first", lambda x: many_rows(x, packed, scales)),
        ("bfloat16", lambda x: x @ wide.T),
    ):
        us = 1e3 * median_ms(lambda: fn(x))
        print(f"ROWS {rows} {name} us: {us:.1f}")
# --8<-- [end:between]
