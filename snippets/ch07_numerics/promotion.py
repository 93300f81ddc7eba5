"""7.1: the dtype of a sum and of a quotient, by what is combined."""

# /// capture
# differs = """A float argument of the launch is a bare Python number
# for the interpreter, and a float32 parameter when compiled."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = ["int8", "uint8", "int32", "int64"]
DTYPES += ["float16", "bfloat16", "float32", "float64"]


# --8<-- [start:number]
@triton.jit
def number_of(x):
    """Which of DTYPES x has; decided while the kernel is traced."""
    number = -1
    if x.dtype == tl.int8:
        number = 0
    elif x.dtype == tl.uint8:
        number = 1
    elif x.dtype == tl.int32:
        number = 2
    elif x.dtype == tl.int64:
        number = 3
    elif x.dtype == tl.float16:
        number = 4
    elif x.dtype == tl.bfloat16:
        number = 5
    elif x.dtype == tl.float32:
        number = 6
    elif x.dtype == tl.float64:
        number = 7
    return number
# --8<-- [end:number]


# --8<-- [start:pairs]
@triton.jit
def pair_kernel(
    a_ptr,  # address of one element
    b_ptr,  # address of one element
    out_ptr,  # address of two int32: type of the sum, of the quotient
    DIVIDE: tl.constexpr,  # whether a / b is allowed
):
    a = tl.load(a_ptr)
    b = tl.load(b_ptr)
    tl.store(out_ptr, number_of(a + b))
    if DIVIDE:
        tl.store(out_ptr + 1, number_of(a / b))
# --8<-- [end:pairs]


# --8<-- [start:scalars]
@triton.jit
def scalar_kernel(
    x_ptr,  # address of one element
    f,  # 2.0, an argument of the launch
    i,  # 2, an argument of the launch
    out_ptr,  # address of seven int32: the type of each sum
    F: tl.constexpr,  # 2.0, fixed at compile time
):
    x = tl.load(x_ptr)
    named = 2.0
    annotated: tl.constexpr = 2.0
    tl.store(out_ptr + 0, number_of(x + 2))
    tl.store(out_ptr + 1, number_of(x + 2.0))
    tl.store(out_ptr + 2, number_of(x + F))
    tl.store(out_ptr + 3, number_of(x + annotated))
    tl.store(out_ptr + 4, number_of(x + named))
    tl.store(out_ptr + 5, number_of(x + i))
    tl.store(out_ptr + 6, number_of(x + f))
# --8<-- [end:scalars]


def one(name):
    dtype = getattr(torch, name)
    return torch.ones(1, dtype=dtype, device=DEVICE)


def short(dtype):
    return str(dtype).removeprefix("torch.")


print("== 7.1.1 two tensors ==")
# --8<-- [start:show_pairs]
for a, b in [
    ("float16", "float32"), ("float32", "float64"),
    ("float16", "bfloat16"), ("bfloat16", "float32"),
    ("int32", "float16"), ("int32", "bfloat16"),
    ("int64", "float32"),
    ("int8", "uint8"), ("int8", "int32"), ("int32", "int64"),
    ("float16", "float16"), ("bfloat16", "bfloat16"),
    ("int32", "int32"),
]:
    out = torch.full((2,), -1, dtype=torch.int32, device=DEVICE)
    # Triton refuses / between signed and unsigned integers.
    pair_kernel[(1,)](one(a), one(b), out, DIVIDE=b != "uint8")
    total, quotient = (DTYPES[k] for k in out.tolist())
    sum_in_torch = short((one(a) + one(b)).dtype)
    quotient_in_torch = short((one(a) / one(b)).dtype)
    print(f"{a} + {b}: {total}")
    print(f"{a} + {b} in torch: {sum_in_torch}")
    if b != "uint8":
        print(f"{a} / {b}: {quotient}")
        print(f"{a} / {b} in torch: {quotient_in_torch}")
# --8<-- [end:show_pairs]

print("== 7.1.1 a tensor and a number ==")
# --8<-- [start:show_scalars]
FORMS = ["literal 2", "literal 2.0", "constexpr argument 2.0"]
FORMS += ["annotated: tl.constexpr = 2.0", "named = 2.0"]
FORMS += ["int argument 2", "float argument 2.0"]
for dtype in ("int8", "float16"):
    out = torch.full((7,), -1, dtype=torch.int32, device=DEVICE)
    scalar_kernel[(1,)](one(dtype), 2.0, 2, out, F=2.0)
    for form, number in zip(FORMS, out.tolist()):
        print(f"{dtype} + {form}: {DTYPES[number]}")
    for number in (2, 2.0):
        in_torch = short((one(dtype) + number).dtype)
        print(f"{dtype} + {number} in torch: {in_torch}")
# --8<-- [end:show_scalars]
