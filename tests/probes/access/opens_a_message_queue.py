"""Opens a POSIX message queue that nobody made.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import ctypes


def forbidden():
    return reached("mq_open", ctypes.c_char_p(b"assay-probe-none"), 0, 0, 0)
