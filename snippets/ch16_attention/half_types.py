"""16.3: the same numbers in two half types, interpreted: bfloat16 is
multiplied as bit patterns."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "accuracy.py measures bfloat16 on a GPU"
# [labels]
# "float16, *" = { kind = "bound", limit = 1e-3 }
# "bfloat16, widened*" = { kind = "bound", limit = 1e-2 }
# ///

import torch

from ch16_attention.forward import attention_forward, relative_error
from ch16_attention.oracle import attention_oracle

# --8<-- [start:demo]
print("== half types in the interpreter ==")
torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 1, 40, 16).bfloat16()
true = attention_oracle(q.double(), k.double(), v.double(), True)
out = attention_forward(q.half(), k.half(), v.half(), True)[0]
print(f"float16, relative error: {relative_error(out, true):.0e}")
out = attention_forward(q, k, v, True)[0]
print(f"bfloat16, relative error: {relative_error(out, true):.0e}")
out = attention_forward(q.float(), k.float(), v.float(), True)[0]
error = relative_error(out.bfloat16(), true)
print(f"bfloat16, widened, relative error: {error:.0e}")
# --8<-- [end:demo]
