"""Takes 600 MiB as memory that grows down like a stack: the limit on data does not count it.
Expect: not passed
"""
# layer: seccomp, rlimits
# open: works

GROWS_DOWN = 0x122


def forbidden():
    libc.mmap.restype = ffi.c_void_p
    libc.mmap.argtypes = [ffi.c_void_p, ffi.c_size_t, ffi.c_int, ffi.c_int, ffi.c_int, ffi.c_long]
    for _ in range(20):
        address = libc.mmap(None, 30 << 20, 3, GROWS_DOWN, -1, 0)
        if address in (None, 2**64 - 1):
            raise MemoryError
        ffi.memset(address, 1, 30 << 20)
    return True
