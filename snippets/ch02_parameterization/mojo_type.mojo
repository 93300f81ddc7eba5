# Mojo: one instantiation of a parametric struct does not pass for
# another, although both take sixteen bytes.

# /// capture
# raises = "mojo"
# ///


@fieldwise_init
struct Vector[dtype: DType, size: Int]:
    var data: SIMD[Self.dtype, Self.size]


# --8<-- [start:demo]
def first(v: Vector[DType.float32, 4]) -> Float32:
    return v.data[0]


def main():
    var two = Vector[DType.float64, 2]([1.0, 2.0])
    print(first(two))
# --8<-- [end:demo]
