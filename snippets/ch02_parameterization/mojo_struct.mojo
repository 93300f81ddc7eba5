# Mojo: fields lie where the struct says, and two instantiations of one
# parametric struct are two types.

from std.reflection import reflect
from std.sys import size_of


# --8<-- [start:structs]
@fieldwise_init
struct Point:
    var x: Float64
    var tag: Int8
    var y: Float32


@fieldwise_init
struct Vector[dtype: DType, size: Int]:
    var data: SIMD[Self.dtype, Self.size]
# --8<-- [end:structs]


# --8<-- [start:demo]
def main():
    comptime point = reflect[Point]
    print("== one struct ==")
    print("x at byte:", point.field_offset[name="x"]())
    print("tag at byte:", point.field_offset[name="tag"]())
    print("y at byte:", point.field_offset[name="y"]())
    print("bytes of a Point:", size_of[Point]())

    comptime Four = Vector[DType.float32, 4]
    comptime Two = Vector[DType.float64, 2]
    print("== two instantiations ==")
    print("bytes of Four:", size_of[Four]())
    print("bytes of Two:", size_of[Two]())
    print("name of Four:", reflect[Four].name())
    print("name of Two:", reflect[Two].name())
# --8<-- [end:demo]
