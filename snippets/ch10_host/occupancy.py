"""10.4.1: how many programs of a kernel share a multiprocessor: by
hand, from registers, warps and shared memory."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It is arithmetic; properties.py asks the driver."
# ///

# --8<-- [start:rules]
SM_90 = {  # one multiprocessor of an H100 or H200
    "warps": 64,
    "programs": 32,
    "registers": 65536,  # of 32 bits, in four equal parts
    "shared": 233472,  # bytes
}


def up(value, multiple):
    return -(-value // multiple) * multiple


def residents(registers, warps, shared, sm=SM_90):
    """Programs that fit at once, by each of the limits."""
    warp_registers = up(registers * 32, 256)
    warps_a_part = sm["registers"] // 4 // warp_registers
    bytes_each = up(shared + 1024, 128)  # 1024 go to the system
    return {
        "warps": sm["warps"] // warps,
        "programs": sm["programs"],
        "registers": 4 * warps_a_part // warps,
        "shared": sm["shared"] // bytes_each,
    }
# --8<-- [end:rules]


if __name__ == "__main__":
    print("== 10.4.1 by hand ==")
    # --8<-- [start:demo]
    for name, needs in {
        "32 registers, 4 warps": (32, 4, 0),
        "128 registers, 4 warps": (128, 4, 0),
        "128 registers, 8 warps": (128, 8, 0),
        "32 registers, 4 warps, 48 KiB": (32, 4, 49152),
        "32 registers, 1 warp": (32, 1, 0),
    }.items():
        limits = residents(*needs)
        fit = min(limits.values())
        scarce = min(limits, key=limits.get)
        print(f"{name}, programs: {fit}")
        print(f"{name}, resident warps: {fit * needs[1]}")
        print(f"{name}, scarce: {scarce}")
    # --8<-- [end:demo]
