"""13.5: tl.range(…, warp_specialize=True) is for Blackwell, and says
so in its documentation only."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = "warp_specialize is taken on Hopper, and gone wrong"
# ///

import torch
import triton
import triton.language as tl

from ch13_matmul.grouped import tile_at

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SIZE = 256


# --8<-- [start:kernel]
@triton.jit
def hinted_kernel(
    a_ptr,  # address of a, M x K, row by row
    b_ptr,  # address of b, K x N, row by row
    out_ptr,  # address of out, M x N, row by row
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    SPECIALIZE: tl.constexpr,  # whether some warps should only load
):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [128, 64])
    b_desc = tl.make_tensor_descriptor(b_ptr, [K, N], [N, 1], [64, 128])
    tiles_m, tiles_n = tl.cdiv(M, 128), tl.cdiv(N, 128)
    for number in tl.range(
        tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0),
        warp_specialize=SPECIALIZE,
    ):
        i, j = tile_at(number, tiles_m, tiles_n, 8)
        row, col = i * 128, j * 128
        acc = tl.zeros((128, 128), dtype=tl.float32)
        for k in range(0, K, 64):
            a = a_desc.load([row, k])
            b = b_desc.load([k, col])
            acc = tl.dot(a, b, acc)
        rows = row + tl.arange(0, 128)[:, None]
        cols = col + tl.arange(0, 128)[None, :]
        tl.store(
            out_ptr + rows * N + cols,
            acc.to(out_ptr.dtype.element_ty),
            mask=(rows < M) & (cols < N),
        )
# --8<-- [end:kernel]


# --8<-- [start:demo]
print("== a hint for Blackwell, elsewhere ==")
triton.set_allocator(
    lambda size, align, stream: torch.empty(
        size, dtype=torch.int8, device=DEVICE
    )
)
torch.manual_seed(0)
a = torch.randint(-3, 4, (SIZE, SIZE)).half().to(DEVICE)
b = torch.randint(-3, 4, (SIZE, SIZE)).half().to(DEVICE)
truth = (a.float() @ b.float()).half()  # every sum is exact
for specialize in (False, True):
    out = torch.zeros(SIZE, SIZE, device=DEVICE).half()
    hinted_kernel[(2,)](
        a, b, out, SIZE, SIZE, SIZE,
        SPECIALIZE=specialize, num_warps=4, num_stages=3,
    )
    name = f"warp_specialize={specialize}"
    upper = torch.equal(out[:64], truth[:64])
    lower = torch.equal(out[64:128], truth[64:128])
    print(f"{name}, rows 0 to 63 right: {upper}")
    print(f"{name}, rows 64 to 127 right: {lower}")
# --8<-- [end:demo]
