"""Makes a user and a mount namespace at once.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    if libc.unshare(0x10020000) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
