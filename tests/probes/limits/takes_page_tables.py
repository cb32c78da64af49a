"""Takes 600 MiB as page tables, by touching one page in each 2 MiB of 300 GiB.
Expect: not passed
"""
# layer: rlimits

def forbidden():
    libc.mmap.restype = ffi.c_void_p
    libc.mmap.argtypes = [ffi.c_void_p, ffi.c_size_t, ffi.c_int, ffi.c_int, ffi.c_int, ffi.c_long]
    for _ in range(300):
        address = libc.mmap(None, 1 << 30, 1, 0x4022, -1, 0)
        if address in (None, 2**64 - 1):
            raise MemoryError
        for offset in range(0, 1 << 30, 2 << 20):
            ffi.c_char.from_address(address + offset).value
    return True
