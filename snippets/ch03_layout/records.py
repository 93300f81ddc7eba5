"""3.2.1: the same particles as records and as columns, read by the
same kernels."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024
FIELDS = 4  # x, y, z and the mass


# --8<-- [start:field]
@triton.jit
def field_kernel(
    p_ptr,  # address of field 0 of particle 0, float32
    out_ptr,  # address of out[0], float32
    n,  # how many particles there are
    particle_stride,  # elements from one particle to the next
    field_stride,  # elements from one field to the next
    field,  # which field to read
    BLOCK: tl.constexpr,  # particles per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    i = first + tl.arange(0, BLOCK)
    mask = i < n
    begin = p_ptr + tl.cast(field, tl.int64) * field_stride
    value = tl.load(begin + i * particle_stride, mask=mask)
    tl.store(out_ptr + i, value, mask=mask)
# --8<-- [end:field]


# --8<-- [start:energy]
@triton.jit
def energy_kernel(
    p_ptr,  # address of field 0 of particle 0, float32
    out_ptr,  # address of out[0], float32
    n,  # how many particles there are
    particle_stride,  # elements from one particle to the next
    field_stride,  # elements from one field to the next
    BLOCK: tl.constexpr,  # particles per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    i = first + tl.arange(0, BLOCK)
    mask = i < n
    p = p_ptr + i * particle_stride
    step = tl.cast(field_stride, tl.int64)  # 3 may pass 2**31
    x = tl.load(p, mask=mask)
    y = tl.load(p + step, mask=mask)
    z = tl.load(p + 2 * step, mask=mask)
    m = tl.load(p + 3 * step, mask=mask)
    energy = 0.5 * m * (x * x + y * y + z * z)
    tl.store(out_ptr + i, energy, mask=mask)
# --8<-- [end:energy]


# --8<-- [start:whole]
@triton.jit
def whole_records_kernel(
    p_ptr,  # address of record 0; each is x, y, z, m, float32
    out_ptr,  # address of out[0], float32
    n,  # how many records there are
    BLOCK: tl.constexpr,  # records per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    i = first + tl.arange(0, BLOCK)
    mask = i < n
    fields = tl.arange(0, 4)
    p = p_ptr + i[:, None] * 4 + fields[None, :]
    record = tl.load(p, mask=mask[:, None], other=0.0)
    # (x, y, z, m) as ((x, y), (z, m)); split takes the last axis
    pairs = tl.reshape(record, (BLOCK, 2, 2))
    xz, ym = tl.split(pairs)
    x, z = tl.split(xz)
    y, m = tl.split(ym)
    energy = 0.5 * m * (x * x + y * y + z * z)
    tl.store(out_ptr + i, energy, mask=mask)
# --8<-- [end:whole]


# --8<-- [start:wrappers]
def check_particles(p: torch.Tensor) -> None:
    if p.dtype != torch.float32:
        raise TypeError(f"p is {p.dtype}, wanted torch.float32")
    if p.device.type != DEVICE:
        raise ValueError(f"p is on {p.device}, wanted {DEVICE}")
    if p.dim() != 2 or p.shape[1] != FIELDS:
        shape = tuple(p.shape)
        raise ValueError(f"p has shape {shape}, wanted (n, {FIELDS})")


def one_field(p, field, block=BLOCK):
    check_particles(p)
    if not 0 <= field < FIELDS:
        raise ValueError(f"field {field}, wanted 0 to {FIELDS - 1}")
    n = p.shape[0]
    out = torch.empty(n, device=p.device)
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    field_kernel[grid](p, out, n, *p.stride(), field, BLOCK=block)
    return out


def energy(p, block=BLOCK):
    check_particles(p)
    n = p.shape[0]
    out = torch.empty(n, device=p.device)
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    energy_kernel[grid](p, out, n, *p.stride(), BLOCK=block)
    return out


def energy_of_records(p, block=BLOCK):
    check_particles(p)
    if not p.is_contiguous():
        raise ValueError(f"p has strides {p.stride()}, wanted (4, 1)")
    n = p.shape[0]
    out = torch.empty(n, device=p.device)
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    whole_records_kernel[grid](p, out, n, BLOCK=block)
    return out
# --8<-- [end:wrappers]


if __name__ == "__main__":
    print("== 3.2.1 records and columns ==")
    # --8<-- [start:demo]
    records = torch.arange(16.0, device=DEVICE).reshape(4, FIELDS)
    columns = records.T.contiguous().T
    for name, p in (("records", records), ("columns", columns)):
        storage = p.as_strided((p.numel(),), (1,))
        print(f"{name} strides: {p.stride()}")
        print(f"{name} in memory: {storage.long().tolist()}")
        print(f"{name}, field y: {one_field(p, 1, block=4).tolist()}")
        print(f"{name}, energy: {energy(p, block=4).tolist()}")
    print(f"equal as tensors: {torch.equal(records, columns)}")

    many = torch.randn(4096, FIELDS).to(DEVICE)
    apart = many.T.contiguous().T
    field = torch.equal(one_field(many, 0), one_field(apart, 0))
    print(f"4096 particles, same field: {field}")
    same = torch.allclose(energy(many), energy(apart))
    print(f"4096 particles, close energies: {same}")
    whole = torch.allclose(energy(many), energy_of_records(many))
    print(f"whole records, close energies: {whole}")
    # --8<-- [end:demo]
