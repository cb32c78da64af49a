"""Calls the kernel by the old interrupt, where every number means something else.
Expect: error
"""
# layer: seccomp

import mmap


def forbidden():
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # getpid by its number in the 32-bit table
    return ffi.CFUNCTYPE(ffi.c_int)(ffi.addressof(ffi.c_char.from_buffer(code)))() > 0
