"""12.3: torch's GELU on a CPU is two programs; no kernel here."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it is about PyTorch on a CPU"
# [labels]
# "x = *" = { kind = "volatile" }
# ///

import warnings

import torch
import torch.nn.functional as F

# switching oneDNN warns about Intel GPUs, which are not used here
warnings.filterwarnings("ignore", category=UserWarning)

# --8<-- [start:paths]
for value in (-3.0, torch.inf):
    for n in (1, 8):
        x = torch.full((n,), value)  # n equal elements, on the CPU
        for state in ("on", "off"):
            with torch.backends.mkldnn.flags(enabled=state == "on"):
                first = F.gelu(x)[0].item()
            name = f"x = {value}, n = {n}, oneDNN {state}"
            print(f"{name}: {first:.10f}")
# --8<-- [end:paths]
