"""Reads memory by process number.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import ctypes
import os


class Piece(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def forbidden():
    source, target = ctypes.create_string_buffer(b"here"), ctypes.create_string_buffer(4)
    there, here = Piece(ctypes.addressof(source), 4), Piece(ctypes.addressof(target), 4)
    syscall("process_vm_readv", os.getpid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return target.raw == b"here"
