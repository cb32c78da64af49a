"""Unmounts a place that does not exist.
Expect: not passed
"""
# layer: seccomp
# surface

import ctypes


def forbidden():
    return reached("umount2", ctypes.c_char_p(b"/nonexistent/assay"), 0)
