"""Looks whether it is root, or has any capability.
Expect: not passed
"""
# layer: privileges, namespaces

import ctypes
import os


def forbidden():
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    try:
        syscall("capget", ctypes.byref(header), ctypes.byref(sets))
    except OSError:
        pass
    return 0 in (os.getuid(), os.geteuid(), os.getgid()) or any(sets)
