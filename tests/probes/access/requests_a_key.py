"""Asks for a key that somebody may have left in a keyring.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import ctypes


def forbidden():
    return reached("request_key", ctypes.c_char_p(b"user"), ctypes.c_char_p(b"assay-probe-none"), 0, 0)
