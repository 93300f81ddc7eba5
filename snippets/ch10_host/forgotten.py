"""Traps of 10.5: what a hand-written signature gets wrong."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it compiles, and launches nothing"
# ///

from ch10_host.absent import SIGNATURE, compile_for

# --8<-- [start:demo]
BLOCK = {"BLOCK": 1024}
without_n = {k: v for k, v in SIGNATURE.items() if k != "n"}
CASES = {
    "all right": (SIGNATURE, BLOCK),
    "constexprs forgotten": (SIGNATURE, {}),
    "no n": (without_n, BLOCK),
    "*f32 for *fp32": ({**SIGNATURE, "x_ptr": "*f32"}, BLOCK),
    "fp32 for *fp32": ({**SIGNATURE, "x_ptr": "fp32"}, BLOCK),
    "*fp16 for *fp32": ({**SIGNATURE, "x_ptr": "*fp16"}, BLOCK),
    "BLOCK an i32": ({**SIGNATURE, "BLOCK": "i32"}, {}),
    "a typo in constexprs": (SIGNATURE, {"BLOK": 1024}),
}
print("== 10.5.3 signatures by hand ==")
for name, (signature, constexprs) in CASES.items():
    try:
        compile_for("sm_90", signature, constexprs)
        print(f"{name}: compiles")
    except Exception as error:
        last = str(error).strip().splitlines()[-1:]
        words = f"{type(error).__name__}: {''.join(last)}"
        print(f"{name}: {words}")
# --8<-- [end:demo]
