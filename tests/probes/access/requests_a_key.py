"""Asks for a key that somebody may have left in a keyring.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return reached("request_key", ffi.c_char_p(b"user"), ffi.c_char_p(b"assay-probe-none"), 0, 0)
