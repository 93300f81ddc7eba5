"""20.6.2: the block trained on sums, with fused kernels and without,
from the same weights on the same text; once on other batches; and
once with a gradient forgotten."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "step * loss" = { kind = "measured", within = 0.4 }
# "*, from Python, ms a step" = { kind = "measured", within = 0.9 }
# "*, a graph, ms a step" = { kind = "measured", within = 0.3 }
# "* held-out loss" = { kind = "measured", within = 0.4 }
# "* nats apart" = { kind = "measured", within = 0.95 }
# ///

import time

import torch

from ch20_fused.block import Eager, Fused, Model
from ch20_fused.contest import median_ms
from ch20_fused.forgotten_stream import ForgottenStream
from ch20_fused.text import batches, sums_text, unknowable

STEPS, EVERY = 1000, 50
BATCH, LENGTH = 64, 256
SHAPE = dict(vocab=256, dim=256, heads=4, hidden=704, length=LENGTH)
RATE = 3e-3


# --8<-- [start:train]
def train(ops, text, seed=1):
    """Losses by step, the model, ms a step from Python and by graph."""
    torch.manual_seed(0)
    model = Model(ops, **SHAPE)
    rate = torch.zeros((), device="cuda")  # to warm up: nothing moves
    rule = torch.optim.AdamW(
        model.parameters(), rate, betas=(0.9, 0.95), fused=True,
        capturable=True,
    )  # fmt: skip
    places = batches(text, BATCH, LENGTH, seed)
    tokens, targets = (x.clone() for x in next(places))

    def step():
        rule.zero_grad()
        loss = model(tokens, targets, torch.bfloat16)
        loss.backward()
        rule.step()
        return loss.detach()

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for turn in range(13):
            if turn == 3:  # all kernels are compiled
                torch.cuda.synchronize()
                start = time.perf_counter()
            step()
    torch.cuda.synchronize()
    python = (time.perf_counter() - start) * 100
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()

    losses = {}
    for turn in range(STEPS + 1):
        for old, new in zip((tokens, targets), next(places)):
            old.copy_(new)
        rate.fill_(RATE * min(1, turn / 50) * (1 - turn / STEPS))
        graph.replay()
        if turn % EVERY == 0:
            losses[turn] = loss.item()
    rate.zero_()
    return losses, model, python, median_ms(graph.replay)
# --8<-- [end:train]


@torch.no_grad()
def held_out(model, text):
    """The loss on a text that nobody trained on."""
    rows = text[: BATCH * (LENGTH + 1)].view(BATCH, LENGTH + 1).cuda()
    return model(rows[:, :-1], rows[:, 1:], torch.bfloat16).item()


# --8<-- [start:run]
class Forgotten(Fused):
    add_norm = ForgottenStream.apply


def main():
    text, other = sums_text(50000, seed=0), sums_text(5000, seed=2)
    text, found = text.cuda(), {}
    for name, ops, seed in (
        ("eager", Eager, 1), ("fused", Fused, 1),
        ("other batches", Eager, 4), ("forgotten", Forgotten, 1),
    ):  # fmt: skip
        found[name], model, python, graph = train(ops, text, seed)
        for step, loss in found[name].items():
            print(f"step {step} {name} loss: {loss:.4f}")
        print(f"{name} held-out loss: {held_out(model, other):.4f}")
        print(f"{name}, from Python, ms a step: {python:.2f}")
        print(f"{name}, a graph, ms a step: {graph:.2f}")
    for name in ("fused", "other batches"):
        apart = [
            abs(found[name][k] - x) for k, x in found["eager"].items()
        ]
        print(f"{name} and eager, at most nats apart: {max(apart):.3f}")
    print(f"cannot be known: {unknowable():.4f}")
# --8<-- [end:run]


if __name__ == "__main__":
    main()
