"""Takes a descriptor of a mounted tree.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import ctypes


def forbidden():
    return opened(lambda: syscall("open_tree", -100, ctypes.c_char_p(b"/"), 0))
