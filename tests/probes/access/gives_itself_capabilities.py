"""Asks for every capability.
Expect: not passed
"""
# layer: seccomp, privileges

import ctypes


def forbidden():
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    return syscall("capset", ctypes.byref(header), ctypes.byref(sets)) == 0
