"""6.5.2: silu as an operator of PyTorch's own table."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch06_contract.silu import silu
from ch06_contract.silu_grad import silu_backward

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:op]
@torch.library.custom_op("book::silu", mutates_args=())
def silu_op(x: torch.Tensor) -> torch.Tensor:
    return silu(x)


@torch.library.custom_op("book::silu_backward", mutates_args=())
def silu_backward_op(
    grad: torch.Tensor, x: torch.Tensor
) -> torch.Tensor:
    return silu_backward(grad, x)
# --8<-- [end:op]


# --8<-- [start:register]
def promise(*inputs):
    """What both return: contiguous, and otherwise like x."""
    x = inputs[-1]
    return torch.empty(x.shape, dtype=x.dtype, device=x.device)


def keep_input(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def differentiate(ctx, grad):
    return silu_backward_op(grad, *ctx.saved_tensors)


def register():
    """Say what the operators return, and what their gradient is."""
    silu_op.register_fake(promise)
    silu_backward_op.register_fake(promise)
    silu_op.register_autograd(differentiate, setup_context=keep_input)
# --8<-- [end:register]


if __name__ == "__main__":
    register()

    print("== 6.5.2 opcheck ==")
    # --8<-- [start:opcheck]
    torch.manual_seed(0)
    x = torch.randn(4, 6).to(DEVICE)
    for name, sample in [
        ("contiguous", x),
        ("transposed", x.T),
        ("every second column", x[:, ::2]),
        ("no rows", x[:0]),
        ("with gradient", x.T.detach().requires_grad_()),
    ]:
        result = torch.library.opcheck(silu_op, (sample,))
        passed = sum(r == "SUCCESS" for r in result.values())
        print(f"{name}: {passed} of {len(result)} tests pass")
    for number, test in enumerate(result, start=1):
        print(f"test {number}: {test}")
    # --8<-- [end:opcheck]

    print("== 6.5.2 what else came with it ==")
    # --8<-- [start:more]
    negative = torch.view_as_complex(x.view(4, 3, 2)).conj().imag
    print(f"lazy negative: {negative.is_neg()}")
    right = torch.allclose(
        silu_op(negative), torch.nn.functional.silu(negative)
    )
    print(f"right through the operator: {right}")
    try:
        silu(negative)
    except ValueError as error:
        print(f"the wrapper itself: ValueError: {error}")
    # --8<-- [end:more]
