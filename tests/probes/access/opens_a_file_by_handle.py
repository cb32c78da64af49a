"""Opens the machine's root by its number, past every mount.
Expect: not passed
"""
# layer: seccomp, privileges

import os


class Handle(ffi.Structure):
    _fields_ = [("length", ffi.c_uint), ("type", ffi.c_int), ("data", ffi.c_ubyte * 8)]


def forbidden():
    root = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    handle = Handle(8, 1, (ffi.c_ubyte * 8)(2))
    return opened(lambda: syscall("open_by_handle_at", root, ffi.byref(handle), os.O_RDONLY))
