"""Trap of 10.5: by hand you compile another kernel than a launch."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it compiles, and launches nothing"
# ///

from ch10_host.absent import SIGNATURE, compile_for

# --8<-- [start:demo]
ALIGNED = [["tt.divisibility", 16]]  # what a launch sees by itself
pointers = {(0,): ALIGNED, (1,): ALIGNED}
everything = {**pointers, (4,): ALIGNED}  # and n

print("== 10.5.2 what a launch would have known ==")
for name, attrs in [
    ("nothing known", {}),
    ("pointers % 16 == 0", pointers),
    ("n % 16 == 0 as well", everything),
]:
    compiled = compile_for(
        "sm_90", SIGNATURE, {"BLOCK": 1024}, attrs
    )
    ptx = compiled.asm["ptx"]
    wide = ptx.count("ld.global.v4")
    print(f"{name}, loads: {ptx.count('ld.global')}")
    print(f"{name}, of 16 bytes: {wide}")
# --8<-- [end:demo]
