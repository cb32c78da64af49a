"""Puts a key into the kernel's keyring, which no namespace holds.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return syscall("add_key", ffi.c_char_p(b"user"), ffi.c_char_p(b"assay-probe"), ffi.c_char_p(b"x"), 1, -2) > 0
