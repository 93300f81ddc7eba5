"""5.5.1: in which order the interpreter runs a grid of two axes."""

# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = "order_gpu measures the order on a GPU"
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def ticket_kernel(
    counter_ptr,  # one int32: the next ticket
    ticket_ptr,  # address of ticket[0, 0], int32: one a program
):
    ticket = tl.atomic_add(counter_ptr, 1)
    place = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    tl.store(ticket_ptr + place, ticket)
# --8<-- [end:kernel]


# --8<-- [start:run]
def tickets(*grid):
    """Who came when: ticket[i, j] of program (i, j)."""
    counter = torch.zeros(1, dtype=torch.int32, device=DEVICE)
    ticket = torch.full(grid, -1, dtype=torch.int32, device=DEVICE)
    ticket_kernel[grid](counter, ticket)
    return ticket
# --8<-- [end:run]


if __name__ == "__main__":
    print("== 5.5.1 a grid of three by four ==")
    # --8<-- [start:demo]
    for number, row in enumerate(tickets(3, 4)):
        print(f"programs ({number}, 0 to 3): {row.tolist()}")
    # --8<-- [end:demo]
