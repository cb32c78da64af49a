"""Waits, at a place in a library's file, for whoever has the same file in memory to wake it.
Expect: not passed
"""
# layer: seccomp
# open: works

import struct


def forbidden():
    libc.mmap.restype = ffi.c_void_p
    with open(os.__file__, "rb") as file:
        (value,) = struct.unpack("<i", file.read(4))
        place = libc.mmap(None, ffi.c_size_t(4096), 1, 2, file.fileno(), ffi.c_long(0))  # to be read, private
    patience = (ffi.c_long * 2)(0, 1_000_000)
    try:
        syscall("futex", ffi.c_void_p(place), 0, value, patience)
    except OSError as error:
        if error.errno != errno.ETIMEDOUT:
            raise
    return True
