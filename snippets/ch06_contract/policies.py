"""6.4.2: three answers to a view that is not contiguous: refuse it,
copy it, read it by its strides."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch06_contract.silu import as_matrices
from ch12_elementwise.fma_relu import check_input

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.zeros(8, 6, 4, device=DEVICE)
views = {
    "contiguous": x,
    "a row": x[3],
    "2-D, transposed": x[0].T,
    "2-D, every second column": x[0, :, ::2],
    "3-D, first columns": x[:, :, :2],
    "3-D, last two swapped": x.transpose(1, 2),
    "3-D, first two swapped": x.transpose(0, 1),
}
for name, view in views.items():
    try:
        check_input(view)
        refused = "takes it"
    except ValueError as error:
        refused = str(error)
    copied = view.contiguous().data_ptr() != view.data_ptr()
    out = torch.empty(view.shape, device=DEVICE)
    matrix = as_matrices(view, out)[0]
    strided = matrix.data_ptr() != view.data_ptr()
    print(f"{name} refuse: {refused}")
    print(f"{name} contiguous() copies: {copied}")
    print(f"{name} as_matrices copies: {strided}")
# --8<-- [end:demo]
