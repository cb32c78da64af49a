"""Makes itself readable for other processes of its user.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    if libc.prctl(4, 1, 0, 0, 0) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
