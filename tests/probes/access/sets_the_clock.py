"""Sets the clock to a time that does not exist.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import ctypes


def forbidden():
    return reached("clock_settime", 0, ctypes.byref((ctypes.c_long * 2)(0, -1)))
