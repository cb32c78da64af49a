"""Asks not to die with the process that made it.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    if libc.prctl(1, 0, 0, 0, 0) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
