# Mojo: a destructor that nobody calls. It runs after the owner's last
# use, which is not the end of the scope.

from std.memory.alloc import unsafe_alloc


# --8<-- [start:demo]
struct Scratch:
    var data: Pointer[Float32, MutUntrackedOrigin]
    var count: Int

    def __init__(out self, count: Int):
        self.data = unsafe_alloc[Float32](count)
        self.count = count
        print("allocated:", count)

    def __deinit__(deinit self):
        self.data.unsafe_free()
        print("freed:", self.count)


def main():
    var scratch = Scratch(3)
    scratch.data[unsafe_offset=0] = 12.0
    print("first partial sum:", scratch.data[unsafe_offset=0])
    var address = scratch.data
    print("main goes on")
    _ = address  # kept, and no longer of any use
# --8<-- [end:demo]
