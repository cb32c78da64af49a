"""Asks for the mounts by calls that are younger than most filters.
Expect: not passed
"""
# layer: seccomp
# surface

import ctypes


def forbidden():
    request = (ctypes.c_uint64 * 4)(24, 0xFFFFFFFFFFFFFFFF, 0, 0)
    found = (ctypes.c_uint64 * 16)()
    return syscall("listmount", ctypes.byref(request), ctypes.byref(found), 16, 0) > 0
