"""Trap of 10.4: asking for the GPU where there is none."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It shows what happens where there is no GPU."
# ///

import torch
import triton

# --8<-- [start:demo]
print("== 10.4.2 no GPU ==")
QUESTIONS = {
    "torch": lambda: torch.cuda.get_device_properties(0),
    "triton": lambda: triton.runtime.driver.active.utils,
}
for name, ask in QUESTIONS.items():
    try:
        ask()
    except Exception as error:
        line = str(error).strip().splitlines()[0]
        print(f"{name}: {type(error).__name__}: {line}")
# --8<-- [end:demo]
