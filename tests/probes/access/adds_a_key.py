"""Puts a key into the kernel's keyring, which no namespace holds.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import ctypes


def forbidden():
    return syscall("add_key", ctypes.c_char_p(b"user"), ctypes.c_char_p(b"assay-probe"), ctypes.c_char_p(b"x"), 1, -2) > 0
