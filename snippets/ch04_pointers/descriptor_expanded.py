"""4.5: a row expanded by a stride of 0 passes the checks of the host;
does it load?"""

import torch

from ch04_pointers.descriptor_edges import peek

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
row = torch.arange(8.0, device=DEVICE).reshape(1, 8)
wide = row.expand(4, 8)
print(f"strides: {wide.stride()}")
try:
    for number, values in enumerate(peek(wide, 0, 4).tolist()):
        print(f"row {number}: {values}")
except Exception as error:
    print(f"raised: {type(error).__name__}")
# --8<-- [end:demo]
