"""7.3: ties, nearest and toward zero, by hand."""

# /// capture
# differs = """Without a rounding mode the interpreter cuts bfloat16
# off; asked for rtz, it gets float16's range wrong."""
# ///

import torch

from ch07_numerics.cast import cast

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
STEP = {torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}  # above 1
for dtype, step in STEP.items():
    name = str(dtype).removeprefix("torch.")
    print(f"== 7.3.1 {name}, in steps above 1 ==")
    parts = [0.25, 0.5, 0.75, 1.5, 2.5]
    x = torch.tensor([1 + p * step for p in parts], device=DEVICE)
    x = torch.cat([x, -x])
    parts += [-p for p in parts]
    for mode in (None, "rtne", "rtz"):
        out = cast(x, dtype, mode).double()
        steps = (out - out.sign()) / step
        shown = ", ".join(f"{v:g}" for v in steps.tolist())
        print(f"rounding {mode}: {shown}")
    steps = (x.to(dtype).double() - x.sign()) / step
    shown = ", ".join(f"{v:g}" for v in steps.tolist())
    print(f"torch: {shown}")
    print(f"input: {', '.join(f'{p:g}' for p in parts)}")
# --8<-- [end:demo]

print("== 7.3.1 rtz at the ends of float16 ==")
# --8<-- [start:ends]
x = torch.tensor([65519.0, 1e5, 1e-7, 1e-40], device=DEVICE)
for mode in (None, "rtz"):
    shown = [f"{v:.4g}" for v in cast(x, torch.float16, mode).tolist()]
    print(f"rounding {mode}: {', '.join(shown)}")
# --8<-- [end:ends]
