"""3.5.1: one kernel, and what it becomes when a length or an address
is not divisible by 16."""

# /// capture
# ptx = ["copy_kernel(BLOCK=1024)"]
# ///

import torch
import triton

from ch03_layout.views import copy_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024

print("== 3.5.1 a length, an address ==")


# --8<-- [start:demo]
def copy_n(x, out, n):
    grid = (triton.cdiv(n, BLOCK),)
    copy_kernel[grid](x, out, n, BLOCK=BLOCK)
    return torch.equal(out[:n], x[:n])


base = torch.randn(4112).to(DEVICE)
room = torch.empty(4112, device=DEVICE)
for shift in (0, 1, 4):
    address = base[shift:].data_ptr() % 16
    print(f"shifted by {shift}, address modulo 16: {address}")
print(f"n = 4096: {copy_n(base, room, 4096)}")
print(f"n = 4095: {copy_n(base, room, 4095)}")
print(f"n = 4096, x shifted by 1: {copy_n(base[1:], room, 4096)}")
print(f"n = 4096, out shifted by 1: {copy_n(base, room[1:], 4096)}")
print(f"n = 4096, x shifted by 4: {copy_n(base[4:], room, 4096)}")
# --8<-- [end:demo]
