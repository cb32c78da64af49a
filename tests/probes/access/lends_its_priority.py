"""Takes a lock that lends priority: code of the kernel that needs many words, and that nobody here needs.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import ctypes


def forbidden():
    return reached("futex", ctypes.byref(ctypes.c_uint32()), 8, 0, None, None, 0)
