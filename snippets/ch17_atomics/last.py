"""17.4.5: a sum in one launch, the same bits every time: the program
that comes last adds up what the others left."""

import torch
import triton
import triton.language as tl

from ch17_atomics.atomic_sum import check_vector, different

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
MOST = 1024  # programs, a power of two
LAST_BLOCK = 4096


# --8<-- [start:kernel]
@triton.jit
def sum_last_kernel(
    x_ptr,  # address of x[0], float32
    parts_ptr,  # address of a float32 for each program
    arrived_ptr,  # address of one int32, 0; 0 again at the end
    out_ptr,  # address of the sum, float32
    n,  # elements of x
    BLOCK: tl.constexpr,  # elements that are added at a time
    PROGRAMS: tl.constexpr,  # not fewer than there are programs
):
    programs = tl.num_programs(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(tl.program_id(0) * BLOCK, n, programs * BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(parts_ptr + tl.program_id(0), tl.sum(acc))
    tl.debug_barrier()  # the store, then the counter
    before = tl.atomic_add(arrived_ptr, 1, sem="acq_rel")
    if before == programs - 1:  # all others have stored
        lanes = tl.arange(0, PROGRAMS)
        parts = tl.load(
            parts_ptr + lanes, mask=lanes < programs, other=0.0
        )
        tl.store(out_ptr, tl.sum(parts))
        tl.store(arrived_ptr, 0)  # for the next launch
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
ARRIVED = torch.zeros(1, dtype=torch.int32, device=DEVICE)


def sum_last(x, block=LAST_BLOCK, programs=MOST):
    """The sum of x, in one launch. One at a time: it has a counter."""
    check_vector(x)
    if not 1 <= programs <= MOST:
        raise ValueError(f"need 1 to {MOST} programs: {programs}")
    n = x.numel()
    out = x.new_zeros(())
    programs = min(programs, triton.cdiv(n, block))
    if programs > 0:
        parts = x.new_empty(programs)
        sum_last_kernel[(programs,)](
            x, parts, ARRIVED, out, n, BLOCK=block, PROGRAMS=MOST
        )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 17.4.5 the last one adds up ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x = torch.rand(8192).to(DEVICE)
    sums = [sum_last(x, block=256) for _ in range(20)]
    print(f"the same bits: {different(sums) == 1}")
    exact = x.double().sum().item()
    error = abs(sums[0].item() - exact) / exact
    print(f"error below 1e-6: {error < 1e-6}")
    print(f"the counter at the end: {ARRIVED.item()}")
    # --8<-- [end:demo]
