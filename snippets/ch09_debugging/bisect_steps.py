"""9.6.1: a wrong kernel of five steps, brought down to the step, the
program and the element that are wrong first."""

# /// capture
# [labels]
# "step ? largest difference" = { kind = "bound", limit = 1e-5 }
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
STEPS = 5
TOLERANCE = 1e-4


# --8<-- [start:kernel]
@triton.jit
def gated_norm_kernel(
    x_ptr,  # address of the first row of x
    gate_ptr,  # address of the first row of the gate
    weight_ptr,  # address of one weight for each column
    out_ptr,  # address of the result, contiguous
    cols,  # columns, at most BLOCK
    x_stride,  # elements from row to row of x
    gate_stride,  # elements from row to row of the gate
    STOP: tl.constexpr,  # the step whose result is stored, 1 to 5
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    mask = lanes < cols
    x = tl.load(x_ptr + row * x_stride + lanes, mask=mask, other=0.0)
    square = tl.sum(x * x, axis=0) / cols
    y = x * tl.rsqrt(square + 1e-6)  # step 1
    if STOP >= 2:
        y *= tl.load(weight_ptr + lanes, mask=mask)
    if STOP >= 3:
        gates = gate_ptr + row * gate_stride + lanes
        share = tl.sigmoid(tl.load(gates, mask=mask))
        if STOP == 3:
            y = share
        else:
            y *= share  # step 4
    if STOP >= 5:
        y = tl.maximum(tl.minimum(y, 0.5), -0.5)
    tl.store(out_ptr + row * cols + lanes, y, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def gated_norm(x, gate, weight, stop=STEPS, mended=False):
    """x, normed by rows, times weight and sigmoid(gate), clamped."""
    for name, tensor in (("x", x), ("gate", gate), ("weight", weight)):
        if tensor.dtype != torch.float32 or tensor.stride(-1) != 1:
            raise ValueError(
                f"{name} is {tensor.dtype}, strides {tensor.stride()}; "
                "wanted float32 and rows in one piece"
            )
    rows, cols = x.shape
    if gate.shape != x.shape or weight.shape != (cols,):
        raise ValueError(
            f"x is {tuple(x.shape)}, gate {tuple(gate.shape)}, "
            f"weight {tuple(weight.shape)}"
        )
    out = torch.empty(rows, cols, device=x.device)
    if out.numel() == 0:
        return out
    gated_norm_kernel[(rows,)](
        x,
        gate,
        weight,
        out,
        cols,
        x.stride(0),
        gate.stride(0) if mended else x.stride(0),
        STOP=stop,
        BLOCK=triton.next_power_of_2(cols),
    )
    return out
# --8<-- [end:wrapper]


# --8<-- [start:oracle]
def oracle(x, gate, weight):
    """The result of each step, in float64."""
    x, gate, weight = x.double(), gate.double(), weight.double()
    normed = x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-6)
    weighted = normed * weight
    share = torch.sigmoid(gate)
    gated = weighted * share
    return [normed, weighted, share, gated, gated.clamp(-0.5, 0.5)]
# --8<-- [end:oracle]


# --8<-- [start:data]
def data(rows, cols):
    """The gate is the right half of a wider matrix."""
    x = torch.linspace(-2, 3, rows * cols).reshape(rows, cols)
    both = torch.linspace(-4, 4, 2 * rows * cols)
    both = both.reshape(rows, 2 * cols).to(DEVICE)
    weight = torch.linspace(1, 2, cols)
    return x.to(DEVICE), both[:, cols:], weight.to(DEVICE)
# --8<-- [end:data]


# --8<-- [start:difference]
def difference(shape, stop=STEPS, **options):
    """How far each element is from the oracle after a step."""
    inputs = data(*shape)
    got = gated_norm(*inputs, stop=stop, **options).double()
    return (got - oracle(*inputs)[stop - 1]).abs()


def wrong(shape, stop=STEPS, **options):
    """Whether a step ends further from it than rounding explains."""
    return bool((difference(shape, stop, **options) > TOLERANCE).any())
# --8<-- [end:difference]


# --8<-- [start:shrink]
def shrink(shape):
    """A smaller shape that is wrong; None from it is."""
    smaller = True
    while smaller:
        rows, cols = shape
        tries = [(rows // 2, cols), (rows, cols // 2)]
        tries += [(rows - 1, cols), (rows, cols - 1)]
        tries = [(r, c) for r, c in tries if r > 0 and c > 0]
        smaller = next((t for t in tries if wrong(t)), None)
        print(f"{shape} is wrong, next: {smaller}")
        shape = smaller or shape
    return shape
# --8<-- [end:shrink]


# --8<-- [start:bisect]
def first_wrong(shape):
    """The first wrong step, if every step after it is wrong too."""
    right, bad = 0, STEPS  # nothing done is right, the end is wrong
    while bad - right > 1:
        middle = (right + bad) // 2
        failed = wrong(shape, middle)
        print(f"step {middle}:", "wrong" if failed else "right")
        if failed:
            bad = middle
        else:
            right = middle
    return bad
# --8<-- [end:bisect]


if __name__ == "__main__":
    print("== 9.6.1 where is it wrong? ==")
    # --8<-- [start:look]
    bad = difference((6, 10)) > TOLERANCE
    print("wrong:", bad.sum().item(), "of", bad.numel())
    print("wrong programs:", bad.any(1).nonzero().flatten().tolist())
    print("first of them:", bad.nonzero()[:1].tolist())
    # --8<-- [end:look]
    print("== 9.6.1 a smaller input ==")
    # --8<-- [start:small]
    small = shrink((6, 10))
    print("(2, 1), the result:", wrong((2, 1)))
    print("(2, 1), the gate:", wrong((2, 1), stop=3))
    # --8<-- [end:small]
    print("== 9.6.1 which step? ==")
    # --8<-- [start:step]
    step = first_wrong(small)
    print(f"first wrong step: {step}")
    for stop in range(1, step):
        worst = difference((6, 10), stop).max().item()
        print(f"step {stop} largest difference: {worst:.1e}")
    worst = difference((6, 10), step).max().item()
    print(f"step {step}, difference: {worst:.3f}")
    # --8<-- [end:step]
    print("== 9.6.1 which value? ==")
    # --8<-- [start:value]
    x, gate, weight = data(*small)
    row = difference(small, step).max(dim=1).values.argmax().item()
    share = gated_norm(x, gate, weight, stop=step)
    used = torch.logit(share[row, 0]).item()  # undo the sigmoid
    print(f"row that is furthest off: {row}")
    print(f"its gate: {gate[row, 0].item():.2f}")
    print(f"the gate that was used: {used:.2f}")
    behind = gate._base.flatten().tolist()  # the wider matrix
    print("in memory:", ", ".join(f"{v:.2f}" for v in behind))
    # --8<-- [end:value]
    print("== 9.6.1 mended ==")
    # --8<-- [start:mended]
    print("x.stride(0):", x.stride(0))
    print("gate.stride(0):", gate.stride(0))
    for shape in [(6, 10), (2, 1), (1, 1), (5, 33)]:
        print(f"{shape} wrong: {wrong(shape, mended=True)}")
    # --8<-- [end:mended]
