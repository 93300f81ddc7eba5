"""7.5: the book's rule for a tolerance, as its tests import it."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It launches nothing."
# ///

import torch


# --8<-- [start:rule]
def budget(truth, roundings, scale=None, compute=torch.float32,
           result=None, result_roundings=1):
    """How far a correct result may lie from truth, a float64.

    roundings: how many on the longest path, each of half an eps of
        the type computed in, relative to scale.
    scale: the sum of the absolute values of what was added; |truth|
        where nothing cancels.
    result: the type stored, where narrower; one rounding, or two
        half eps where the conversion may cut, as interpreted.
    """
    scale = truth.abs() if scale is None else scale
    allowed = roundings * torch.finfo(compute).eps / 2 * scale
    smallest = torch.finfo(compute).smallest_normal
    if result is not None:
        half = torch.finfo(result).eps / 2
        allowed = allowed + result_roundings * half * truth.abs()
        smallest = torch.finfo(result).smallest_normal
    return allowed + smallest


def worst_over_budget(out, truth, *args, **kwargs):
    """The largest error over its budget; above 1 is a bug."""
    error = (out.detach().cpu().double() - truth).abs()
    if error.numel() == 0:
        return 0.0
    return (error / budget(truth, *args, **kwargs)).max().item()
# --8<-- [end:rule]


if __name__ == "__main__":
    # --8<-- [start:demo]
    one = torch.ones(1, dtype=torch.float64)
    for name, result in (("float32", None), ("float16", torch.float16),
                         ("bfloat16", torch.bfloat16)):
        allowed = budget(one, 2, result=result).item()
        print(f"two roundings, stored as {name}: {allowed:.3e}")
    allowed = budget(one, 2, scale=1000 * one).item()
    print(f"two roundings, scale 1000: {allowed:.3e}")
    # --8<-- [end:demo]
