"""Trap of 6.5: a fake that promises other strides than the kernel
delivers."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 120
# differs = """On the CPU torch.compile only traces here; on the
# GPU, Inductor generates code around the operator."""
# ///

import torch

from ch06_contract.silu import silu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@torch.library.custom_op("book::silu_wrong", mutates_args=())
def silu_wrong(x: torch.Tensor) -> torch.Tensor:
    return silu(x)


@silu_wrong.register_fake
def silu_wrong_fake(x):
    return torch.empty_like(x)


x = torch.randn(4, 6, device=DEVICE)
for name, sample in [("contiguous", x), ("transposed", x.T)]:
    print(f"{name} kernel's strides: {silu(sample).stride()}")
    promised = torch.empty_like(sample).stride()
    print(f"{name} fake's strides: {promised}")
    result = torch.library.opcheck(
        silu_wrong, (sample,), raise_exception=False
    )
    for test, outcome in result.items():
        passed = outcome == "SUCCESS"
        print(f"{name} {test}: {'passes' if passed else 'fails'}")

backend = "inductor" if DEVICE == "cuda" else "aot_eager"
layer = torch.compile(lambda x: silu_wrong(x) + 1, backend=backend)
try:
    right = torch.allclose(layer(x.T), silu(x.T) + 1)
    print(f"compiled, right: {right}")
except Exception as error:
    first = str(error).strip().splitlines()[0]
    print(f"compiled, {type(error).__name__}: {first}")
# --8<-- [end:trap]
