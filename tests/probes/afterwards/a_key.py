"""Finds a key that an earlier submission left in a keyring.
Expect: not passed
"""
# layer: seccomp
# open: works



def leave():
    syscall("add_key", ffi.c_char_p(b"user"), ffi.c_char_p(b"assay-probe-left"), ffi.c_char_p(b"x"), 1, -2)


def find():
    return syscall("request_key", ffi.c_char_p(b"user"), ffi.c_char_p(b"assay-probe-left"), 0, -2) > 0
