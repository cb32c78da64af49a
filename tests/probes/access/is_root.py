"""Looks whether it is root, or has any capability.
Expect: not passed
"""
# layer: privileges, namespaces

import os


def forbidden():
    header, sets = (ffi.c_uint32 * 2)(0x20080522, 0), (ffi.c_uint32 * 6)()
    try:
        syscall("capget", ffi.byref(header), ffi.byref(sets))
    except OSError:
        pass
    return 0 in (os.getuid(), os.geteuid(), os.getgid()) or any(sets)
