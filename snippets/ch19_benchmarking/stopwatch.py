"""19.2.2: do_bench rebuilt, and beside the original."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.6 }
# "* over do_bench" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton.testing

from ch12_elementwise.fma_relu import fused_fma_relu
from ch13_matmul.persistent import matmul_persistent
from ch15_softmax.softmax import SoftmaxRows
from ch19_benchmarking.quantile import quantile


# --8<-- [start:stopwatch]
def event():
    return torch.cuda.Event(enable_timing=True)


def stopwatch(fn, warmup=25, rep=100, leaves=(), shares=(0.5,)):
    """Milliseconds of the device for a call of fn, by quantiles.
    warmup and rep are milliseconds; leaves forget their gradients."""
    fn()  # 1. compiles, searches, allocates
    torch.cuda.synchronize()
    flush = torch.empty(2**26, dtype=torch.int32, device="cuda")

    start, end = event(), event()  # 2. about how long is a call?
    start.record()
    for _ in range(5):
        flush.zero_()
        fn()
    end.record()
    torch.cuda.synchronize()
    estimate = start.elapsed_time(end) / 5

    for _ in range(max(1, int(warmup / estimate))):  # 3. warm up
        fn()

    pairs = []  # 4. queue all calls, wait once
    for _ in range(max(1, int(rep / estimate))):
        for leaf in leaves:
            leaf.grad = None
        flush.zero_()  # push the inputs out of the L2 cache
        start, end = event(), event()
        start.record()
        fn()
        end.record()
        pairs.append((start, end))
    torch.cuda.synchronize()

    samples = [start.elapsed_time(end) for start, end in pairs]
    return [quantile(samples, share) for share in shares]  # 5.
# --8<-- [end:stopwatch]


if __name__ == "__main__":
    # --8<-- [start:cases]
    torch.manual_seed(0)
    small = torch.randn(2**24, device="cuda")
    large = torch.randn(2**26, device="cuda")
    a = torch.randn(4096, 4096, device="cuda").bfloat16()
    rows = torch.randn(16384, 8192, device="cuda").bfloat16()
    leaf = rows.detach().requires_grad_()
    y = SoftmaxRows.apply(leaf)
    grad = torch.randn_like(y)
    cases = {
        "2**24 floats": lambda: fused_fma_relu(small, 1.1, -0.3),
        "2**26 floats": lambda: fused_fma_relu(large, 1.1, -0.3),
        "product": lambda: matmul_persistent(a, a),
        "backward": lambda: y.backward(grad, retain_graph=True),
    }
    # --8<-- [end:cases]
    # --8<-- [start:demo]
    shares = [0.5, 0.2, 0.8]
    for name, fn in cases.items():
        print(f"== {name} ==")
        leaves = [leaf] if name == "backward" else []
        ours, theirs = [], []
        for _ in range(3):  # in turn
            ours.append(stopwatch(fn, leaves=leaves, shares=shares))
            theirs.append(
                triton.testing.do_bench(
                    fn, grad_to_none=leaves, quantiles=shares
                )
            )
        ours, theirs = sorted(ours)[1], sorted(theirs)[1]
        for share, mine, its in zip(shares, ours, theirs):
            print(f"{share} ours ms: {mine:.4f}")
            print(f"{share} do_bench ms: {its:.4f}")
        print(f"ours over do_bench: {ours[0] / theirs[0]:.3f}")

    print("== gradients kept ==")
    fn = cases["backward"]
    fresh = stopwatch(fn, leaves=[leaf])[0]
    kept = stopwatch(fn)[0]
    print(f"forgotten ms: {fresh:.4f}")
    print(f"kept and added to ms: {kept:.4f}")
    # --8<-- [end:demo]
