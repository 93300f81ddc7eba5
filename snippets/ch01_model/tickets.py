"""1.3: programs draw tickets, so that their order can be seen."""

# /// capture
# differs = """
# The interpreter runs programs one after another; on a GPU
# many run at once, in an order that nobody promises."""
# [labels]
# "ticket *" = { kind = "volatile" }
# "places *" = { kind = "volatile" }
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PROGRAMS = 64


# --8<-- [start:kernel]
@triton.jit
def ticket_kernel(
    counter_ptr,  # address of one int32, 0 before the launch
    order_ptr,  # address of one int32 for each program
):
    ticket = tl.atomic_add(counter_ptr, 1)  # the value before
    tl.store(order_ptr + ticket, tl.program_id(0))
# --8<-- [end:kernel]


def order_of_programs(programs: int) -> torch.Tensor:
    """The numbers of all programs, in the order of their tickets."""
    if not 0 <= programs <= 2**20:
        raise ValueError(
            f"need 0 <= programs <= {2**20}, got {programs}"
        )
    counter = torch.zeros(1, dtype=torch.int32, device=DEVICE)
    order = torch.full(
        (programs,), -1, dtype=torch.int32, device=DEVICE
    )
    if programs > 0:
        ticket_kernel[(programs,)](counter, order)
    return order


if __name__ == "__main__":
    print("== 1.3.2 sixty-four programs draw tickets ==")
    # --8<-- [start:demo]
    order = order_of_programs(PROGRAMS)
    numbers = torch.arange(PROGRAMS, device=DEVICE)
    print("ticket 0 to 7:", order[:8].tolist())
    out_of_place = (order != numbers).sum().item()
    print("places with another program:", out_of_place)
    print("all in place:", out_of_place == 0)
    present = torch.equal(order.sort().values.long(), numbers)
    print("every program once:", present)
    # --8<-- [end:demo]
