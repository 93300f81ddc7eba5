"""9.3.1: Python's debugger inside a kernel. The commands are
given beforehand, so that the session can be repeated."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "No Python debugger stops in a compiled kernel."
# ///

import io
import pdb
import sys

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def mean_kernel(
    x_ptr,  # address of the first row, float32
    out_ptr,  # address of one mean for each row
    cols,  # columns of a row, at most BLOCK
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    mask = lanes < cols
    x = tl.load(x_ptr + row * cols + lanes, mask=mask, other=0.0)
    total = tl.sum(x, axis=0)
    if row == 1:
        breakpoint()
    mean = total / BLOCK  # by the lanes, not by the columns
    tl.store(out_ptr + row, mean)
# --8<-- [end:kernel]


# --8<-- [start:scripted]
class Scripted(pdb.Pdb):
    """A debugger that is told its commands beforehand, and shows each
    behind the prompt, as a terminal would."""

    def __init__(self, *commands):
        script = io.StringIO("\n".join(commands) + "\n")
        super().__init__(stdin=script, stdout=sys.stdout, nosigint=True)

    def precmd(self, line):
        print(line)
        return super().precmd(line)


def use(*commands):
    """Let breakpoint() start a debugger with these commands."""

    def hook():
        Scripted(*commands).set_trace(sys._getframe(1))

    sys.breakpointhook = hook
# --8<-- [end:scripted]


if __name__ == "__main__":
    print("== 9.3.1 a session ==")
    # --8<-- [start:demo]
    use(
        "p row",
        "p x",
        "p mask",
        "p total, x.dtype, x.shape",
        "p type(x), type(x.handle.data)",
        "p x.handle.data[mask.handle.data].mean()",
        "n",
        "p mean",
        "c",
    )
    x = torch.arange(1.0, 16.0, device=DEVICE).reshape(3, 5)
    out = torch.zeros(3, device=DEVICE)
    mean_kernel[(3,)](x, out, 5, BLOCK=8)
    print("out:", out.tolist())
    print("torch:", x.mean(dim=1).tolist())
    # --8<-- [end:demo]
