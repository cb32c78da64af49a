"""Asks the kernel to merge equal pages with those of other processes: by the time a write takes, it would know theirs.
Expect: not passed
"""
# layer: seccomp
# open: works

import mmap


def forbidden():
    pages = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    place = ffi.addressof(ffi.c_char.from_buffer(pages))
    return reached("madvise", ffi.c_void_p(place), 4096, 12)
