"""Unmounts a place that does not exist.
Expect: not passed
"""
# layer: seccomp
# surface



def forbidden():
    return reached("umount2", ffi.c_char_p(b"/nonexistent/assay"), 0)
