"""Asks in two ways, without reading, whether others have read a file lately.
Expect: not passed
"""
# layer: seccomp
# open: works

import os


def forbidden():
    file = os.open(os.__file__, os.O_RDONLY)
    place, size = (ffi.c_uint64 * 2)(0, 4096), (ffi.c_uint64 * 5)()
    try:
        return reached("cachestat", file, ffi.byref(place), ffi.byref(size), 0) or os.preadv(
            file, [bytearray(1)], 0, os.RWF_NOWAIT
        )
    except BlockingIOError:  # an answer, too
        return True
