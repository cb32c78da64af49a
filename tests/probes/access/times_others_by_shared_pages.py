"""Asks which pages of a library others have brought into memory.
Expect: not passed
"""
# layer: seccomp
# open: works

import mmap
import os


def forbidden():
    with open(os.__file__, "rb") as file:
        pages = mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
    resident = ffi.create_string_buffer(1)
    place = ffi.addressof(ffi.c_char.from_buffer(pages))
    return syscall("mincore", ffi.c_void_p(place), 4096, resident) == 0
