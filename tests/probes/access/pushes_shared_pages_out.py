"""Pushes a page that it has in common with others out of memory, to see later whether somebody wanted it.
Expect: not passed
"""
# layer: seccomp
# open: works

import mmap
import os


def forbidden():
    with open(os.__file__, "rb") as file:
        pages = mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
    place = ffi.addressof(ffi.c_char.from_buffer(pages))
    return reached("madvise", ffi.c_void_p(place), 4096, 21)
