"""Uses the new calls for mounts.
Expect: not passed
"""
# layer: seccomp, privileges

import ctypes


def forbidden():
    return opened(lambda: syscall("fsopen", ctypes.c_char_p(b"tmpfs"), 0))
