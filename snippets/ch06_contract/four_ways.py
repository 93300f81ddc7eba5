"""6.5.3: plain wrappers, an autograd.Function, a custom_op and a
triton_op, eager and under torch.compile."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 300
# differs = """The interpreter has no kernel that PyTorch could look
# into. On the GPU the compiler behind torch.compile is Inductor,
# here it is only the tracing in front of it."""
# ///

import logging
import warnings

import torch
import triton
from torch.library import triton_op, wrap_triton

from ch06_contract.silu import (
    as_matrices,
    check_float,
    launch_silu,
    silu,
    silu_kernel,
    tile_for,
)
from ch06_contract.silu_grad import Silu
from ch06_contract.silu_op import (
    differentiate,
    keep_input,
    register,
    silu_op,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BACKEND = "inductor" if DEVICE == "cuda" else "aot_eager"


# --8<-- [start:triton_op]
@triton_op("book::silu_open", mutates_args=())
def silu_open(x: torch.Tensor) -> torch.Tensor:
    check_float("x", x)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() == 0:
        return out
    source, target = as_matrices(x, out)
    rows, cols = source.shape
    block = tile_for(rows)
    tiles = triton.cdiv(rows, block[0]) * triton.cdiv(cols, block[1])
    wrap_triton(silu_kernel)[(tiles,)](
        source, target, rows, cols,
        *source.stride(), *target.stride(),
        BLOCK_ROWS=block[0], BLOCK_COLS=block[1],
    )  # fmt: skip
    return out
# --8<-- [end:triton_op]


# --8<-- [start:bare]
def silu_bare(x):
    """The wrapper without its checks."""
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    launch_silu(*as_matrices(x, out))
    return out
# --8<-- [end:bare]


# --8<-- [start:judge]
def attempt(fn, *args):
    try:
        return fn(*args)
    except Exception as error:
        return f"raises {type(error).__name__}"


def right(out, x):
    reference = 2 * torch.nn.functional.silu(x) + 1
    return torch.allclose(out, reference, atol=1e-6)


def right_gradient(layer, x):
    x = x.detach().requires_grad_()
    (ours,) = torch.autograd.grad(layer(x).sum(), x)
    theirs = (2 * torch.nn.functional.silu(x) + 1).sum()
    (theirs,) = torch.autograd.grad(theirs, x)
    return torch.allclose(ours, theirs, atol=1e-6)
# --8<-- [end:judge]


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")

    # --8<-- [start:demo]
    register()  # silu_op; a triton_op needs no fake
    silu_open.register_autograd(
        differentiate, setup_context=keep_input
    )
    torch.manual_seed(0)
    x = torch.randn(64, 48).to(DEVICE)
    print(f"backend of torch.compile: {BACKEND}")
    for name, fn in [
        ("checks left out", silu_bare),
        ("plain wrapper", silu),
        ("autograd.Function", Silu.apply),
        ("custom_op", silu_op),
        ("triton_op", silu_open),
    ]:

        def layer(x, fn=fn):
            return 2 * fn(x) + 1

        def run(fullgraph=True):
            torch.compiler.reset()
            fn = torch.compile(
                layer, backend=BACKEND, fullgraph=fullgraph
            )
            return right(fn(x.T), x.T)

        def run_gradient():
            torch.compiler.reset()
            fn = torch.compile(layer, backend=BACKEND, fullgraph=True)
            return right_gradient(fn, x.T)

        print(f"{name}, eager: {attempt(right, layer(x.T), x.T)}")
        print(f"{name}, one graph: {attempt(run)}")
        print(f"{name}, gradient: {attempt(run_gradient)}")
        if fn is silu:
            print(f"{name}, graph breaks: {attempt(run, False)}")
    # --8<-- [end:demo]
