"""6.3.2: the gradients that arrive in a backward, and what becomes
of a backward that takes them for contiguous."""

import torch

from ch06_contract.one_address import flat_scale

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:function]
seen = []


class CarelessDouble(torch.autograd.Function):
    """2 * x. The backward has never heard of strides."""

    @staticmethod
    def forward(ctx, x):
        return flat_scale(x, 2.0)

    @staticmethod
    def backward(ctx, grad):
        seen.append(grad)
        behind = grad.untyped_storage().nbytes()
        if grad.numel() * grad.element_size() > behind:
            return 2 * grad  # flat_scale would leave the memory
        return flat_scale(grad, 2.0)
# --8<-- [end:function]


if __name__ == "__main__":
    print("== 6.3.2 what a backward is given ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    w = torch.arange(12.0, device=DEVICE).reshape(4, 3)
    losses = {
        "squares": lambda y: y.square().sum(),
        "sum": lambda y: y.sum(),
        "weighted columns": lambda y: (y.sum(0) * w[:, 0]).sum(),
        "weighted rows": lambda y: (y.sum(1) * w[0]).sum(),
        "transposed": lambda y: (y.T * w).sum(),
    }
    for name, loss in losses.items():
        x = torch.ones(3, 4, device=DEVICE, requires_grad=True)
        loss(CarelessDouble.apply(x)).backward()
        grad = seen[-1]
        behind = grad.untyped_storage().nbytes() // 4
        print(f"{name} strides: {grad.stride()}")
        print(f"{name} floats behind it: {behind} of {x.numel()}")

    print("== 6.3.2 the transposed one ==")
    print(f"right: {(2 * w.T).tolist()}")
    print(f"x.grad: {x.grad.tolist()}")
    print(f"sum, right: {(2 * w).sum().item():g}")
    print(f"sum of x.grad: {x.grad.sum().item():g}")
    # --8<-- [end:demo]
