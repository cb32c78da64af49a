"""Reads memory by process number.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import os


class Piece(ffi.Structure):
    _fields_ = [("start", ffi.c_void_p), ("length", ffi.c_size_t)]


def forbidden():
    source, target = ffi.create_string_buffer(b"here"), ffi.create_string_buffer(4)
    there, here = Piece(ffi.addressof(source), 4), Piece(ffi.addressof(target), 4)
    syscall("process_vm_readv", os.getpid(), ffi.byref(here), 1, ffi.byref(there), 1, 0)
    return target.raw == b"here"
