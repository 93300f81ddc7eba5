"""1.5: a use after free that cannot crash. An allocator of a few
lines hands out parts of one tensor, which owns all the bytes."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SLOT = 4  # floats in one part


# --8<-- [start:arena]
class Arena:
    """Lends slots of one tensor; a returned slot is lent again."""

    def __init__(self, slots: int):
        self.bytes = torch.zeros(slots * SLOT, device=DEVICE)
        self.free = list(range(slots))

    def take(self) -> torch.Tensor:
        if not self.free:
            raise MemoryError("all slots are lent")
        slot = self.free.pop()  # the slot that came back last
        return self.bytes[slot * SLOT : (slot + 1) * SLOT]

    def give_back(self, part: torch.Tensor) -> None:
        slot = part.storage_offset() // SLOT
        if slot in self.free:
            raise ValueError(f"slot {slot} was given back twice")
        self.free.append(slot)
# --8<-- [end:arena]


# --8<-- [start:kernel]
@triton.jit
def count_up_kernel(
    out_ptr,  # address of the output, n float32
    start,  # a float: the first value to write
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = start + offsets.to(tl.float32)
    tl.store(out_ptr + offsets, values, mask=offsets < n)
# --8<-- [end:kernel]


def count_up(out: torch.Tensor, start: float, block: int = SLOT):
    """Write start, start + 1, … to a contiguous float32 tensor."""
    if out.dtype != torch.float32 or not out.is_contiguous():
        raise ValueError(
            f"need contiguous float32, got {out.dtype} "
            f"with strides {out.stride()}"
        )
    n = out.numel()
    if n > 0:
        grid = (triton.cdiv(n, block),)
        count_up_kernel[grid](out, float(start), n, BLOCK=block)


if __name__ == "__main__":
    print("== 1.5.2 one slot, two tenants ==")
    # --8<-- [start:demo]
    arena = Arena(slots=2)
    scratch = arena.take()
    count_up(scratch, 100.0)
    print("scratch:", scratch.tolist())
    arena.give_back(scratch)  # but the name is still there

    weights = arena.take()
    print("the same slot:", weights.data_ptr() == scratch.data_ptr())
    print("weights, never written:", weights.tolist())
    count_up(weights, 0.0)
    print("weights:", weights.tolist())
    count_up(scratch, 500.0)  # after free
    print("weights, after scratch was written:", weights.tolist())
    # --8<-- [end:demo]
