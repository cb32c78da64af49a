"""Opens the machine's root by its number, past every mount.
Expect: not passed
"""
# layer: seccomp, privileges

import ctypes
import os


class Handle(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * 8)]


def forbidden():
    root = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    handle = Handle(8, 1, (ctypes.c_ubyte * 8)(2))
    return opened(lambda: syscall("open_by_handle_at", root, ctypes.byref(handle), os.O_RDONLY))
