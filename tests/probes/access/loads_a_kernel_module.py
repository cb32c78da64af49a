"""Asks to load a module from a descriptor that is none.
Expect: not passed
"""
# layer: seccomp, privileges

import ctypes


def forbidden():
    return reached("finit_module", -1, ctypes.c_char_p(b""), 0)
