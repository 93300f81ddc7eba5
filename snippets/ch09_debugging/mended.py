"""9.4: what to write in place of what the gallery shows. Both modes
take each line, and the results are checked."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:types]
@triton.jit
def double(x):
    return 2 * x


@triton.jit
def mended_types_kernel(
    x_ptr,  # address of four float32
    out_ptr,  # address of the results, rows of four
    DTYPE: tl.constexpr,  # a dtype of Triton
):
    lanes = tl.arange(0, 4)
    x = tl.load(x_ptr + lanes)
    half = tl.load(x_ptr + lanes // 2)  # not lanes / 2
    tl.store(out_ptr + lanes, half)
    tl.store(out_ptr + 4 + lanes, x == 0.0)  # not ~x
    tl.store(out_ptr + 8 + lanes, tl.floor(x / 2))  # not x // 2
    tl.store(out_ptr + 12 + lanes, x, mask=x != 0.0)  # not mask=x
    bits = x.to(tl.int32, bitcast=True)  # as many bits as x
    tl.store(out_ptr + 16 + lanes, bits.to(tl.float32, bitcast=True))
    tl.store(out_ptr + 20 + lanes, x.to(DTYPE))  # tl.float16
    down = -lanes.to(tl.int32)  # signed
    tl.store(out_ptr + 24 + lanes, down)
    tl.store(out_ptr + 28 + lanes, double(x))  # with @triton.jit
    tl.store(out_ptr + 32 + lanes, x * x)  # not x**2
    tanh = 2 * tl.sigmoid(2 * x) - 1  # tl has no tanh
    tl.store(out_ptr + 36 + lanes, tanh)
    # --8<-- [end:types]


# --8<-- [start:shapes]
@triton.jit
def mended_shapes_kernel(
    x_ptr,  # address of four float32
    out_ptr,  # address of the results, rows of four
    n,  # elements that count, 3
    BLOCK: tl.constexpr,  # a power of two, at least n
):
    lanes = tl.arange(0, BLOCK)  # 4 lanes, and a mask, for 3
    mask = lanes < n
    x = tl.load(x_ptr + lanes, mask=mask, other=0.0)
    tl.store(out_ptr + lanes, x)
    backwards = BLOCK - 1 - lanes  # not arange(BLOCK, 0)
    tl.store(out_ptr + 4 + lanes, backwards)
    first = tl.sum(tl.where(lanes == 0, x, 0.0), axis=0)  # x[0]
    tl.store(out_ptr + 8 + lanes, tl.full((BLOCK,), first, tl.float32))
    tl.store(out_ptr + 12 + lanes, tl.where(lanes == 0, 9.0, x))
    mean = tl.sum(x, axis=0) / n  # the line's own axis; n is known
    tl.store(out_ptr + 16 + lanes, tl.full((BLOCK,), mean, tl.float32))
    scale = tl.load(x_ptr)  # one address, no mask
    tl.store(out_ptr + 20 + lanes, scale * x)
    column = x[:, None]  # not tl.trans(x)
    tl.store(out_ptr + 24 + lanes[:, None], column)
    # --8<-- [end:shapes]


# --8<-- [start:flow]
@triton.jit
def mended_flow_kernel(
    x_ptr,  # address of four float32
    out_ptr,  # address of the results, rows of four
    n,  # elements of x, 4
    limit,  # where the powers stop
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lanes)
    power = 1.0
    while power <= limit:  # in place of break
        power *= 2
    tl.store(out_ptr, power)
    total = 0.0  # not 0, the type stays
    for i in range(0, n // 2):  # not n / 2
        total += tl.load(x_ptr + i)
    tl.store(out_ptr + 4, total)
    y = tl.zeros((BLOCK,), tl.float32)  # one type on both ways
    if (n == 4) | (n == 8):  # not n in (4, 8)
        y = x
    tl.store(out_ptr + 8 + lanes, y)
    going = n > 0
    for i in range(n):
        value = tl.load(x_ptr + i)
        going = going & (value < limit)  # in place of return
        tl.store(out_ptr + 12 + i, value, mask=going)
    for step in tl.static_range(3):  # not a list
        x += 2**step
    tl.store(out_ptr + 16 + lanes, x)
    count = tl.zeros((BLOCK,), tl.int32)
    for i in range(0, tl.max(lanes, axis=0)):  # one number
        count += (i < lanes).to(tl.int32)  # each lane its length
    tl.store(out_ptr + 20 + lanes, count)
    # --8<-- [end:flow]


# --8<-- [start:demo]
def show(title, out, expected):
    print(f"== {title} ==")
    rows = [[round(v, 4) for v in row] for row in out.tolist()]
    for number, row in enumerate(rows):
        print(f"row {number}: {row}")
    print("all right:", rows == expected)


x = torch.tensor([0.0, 1.0, 2.0, 3.0], device=DEVICE)
out = torch.zeros(10, 4, device=DEVICE)
mended_types_kernel[(1,)](x, out, tl.float16)
expected = [
    [0.0, 0.0, 1.0, 1.0],
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 1.0],
    [0.0, 1.0, 2.0, 3.0],
    [0.0, 1.0, 2.0, 3.0],
    [0.0, 1.0, 2.0, 3.0],
    [0.0, -1.0, -2.0, -3.0],
    [0.0, 2.0, 4.0, 6.0],
    [0.0, 1.0, 4.0, 9.0],
    [0.0, 0.7616, 0.964, 0.9951],
]
show("types and calls", out, expected)

x = torch.tensor([2.0, 3.0, 4.0, 99.0], device=DEVICE)
out = torch.zeros(7, 4, device=DEVICE)
mended_shapes_kernel[(1,)](x, out, 3, BLOCK=4)
expected = [
    [2.0, 3.0, 4.0, 0.0],
    [3.0, 2.0, 1.0, 0.0],
    [2.0, 2.0, 2.0, 2.0],
    [9.0, 3.0, 4.0, 0.0],
    [3.0, 3.0, 3.0, 3.0],
    [4.0, 6.0, 8.0, 0.0],
    [2.0, 3.0, 4.0, 0.0],
]
show("shapes", out, expected)

out = torch.zeros(6, 4, device=DEVICE)
mended_flow_kernel[(1,)](x, out, 4, 50.0, BLOCK=4)
expected = [
    [64.0, 0.0, 0.0, 0.0],
    [5.0, 0.0, 0.0, 0.0],
    [2.0, 3.0, 4.0, 99.0],
    [2.0, 3.0, 4.0, 0.0],
    [9.0, 10.0, 11.0, 106.0],
    [0.0, 1.0, 2.0, 3.0],
]
show("control flow", out, expected)
# --8<-- [end:demo]
