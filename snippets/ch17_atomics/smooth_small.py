"""17.3: which elements go wrong in place, in the order of the
interpreter."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "Which elements go wrong there changes from run to run."
# ///

import torch

from ch17_atomics.smooth import smooth

# --8<-- [start:demo]
x = torch.tensor([0.0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0])
y = x.clone()
smooth(x, y, block=4)
print(f"into another tensor: {[int(v) for v in y]}")
y = x.clone()
smooth(y, y, block=4)
print(f"in place: {[int(v) for v in y]}")
# --8<-- [end:demo]
