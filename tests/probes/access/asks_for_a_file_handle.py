"""Asks for the number by which a file could be opened past every mount.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return reached("name_to_handle_at", -100, ffi.c_char_p(b"/"), 0, 0, 0)
