"""12.3: GELU of float16 and bfloat16, computed in float32."""

# /// capture
# [labels]
# "* worst" = { kind = "bound", limit = 1.1 }
# ///

import torch

from ch12_elementwise.gelu_exact import gelu_exact
from ch12_elementwise.gelu_truth import gelu_float64

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
for dtype in (torch.float16, torch.bfloat16):
    x = torch.linspace(-2.0, 4.0, 2001).to(dtype)
    x = x[x != 0]
    truth = gelu_float64(x)
    out = gelu_exact(x.to(DEVICE))
    error = (out.cpu().double() / truth - 1.0).abs().max().item()
    print(f"{dtype} result: {out.dtype}")
    print(f"{dtype} eps: {torch.finfo(dtype).eps}")
    print(f"{dtype} worst: {error / torch.finfo(dtype).eps:.2f} eps")
# --8<-- [end:demo]
