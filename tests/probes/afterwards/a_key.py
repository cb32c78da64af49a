"""Finds a key that an earlier submission left in a keyring.
Expect: not passed
"""
# layer: seccomp
# open: works

import ctypes


def leave():
    syscall("add_key", ctypes.c_char_p(b"user"), ctypes.c_char_p(b"assay-probe-left"), ctypes.c_char_p(b"x"), 1, -2)


def find():
    return syscall("request_key", ctypes.c_char_p(b"user"), ctypes.c_char_p(b"assay-probe-left"), 0, -2) > 0
