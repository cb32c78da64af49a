"""Asks to load a module from a descriptor that is none.
Expect: not passed
"""
# layer: seccomp, privileges



def forbidden():
    return reached("finit_module", -1, ffi.c_char_p(b""), 0)
