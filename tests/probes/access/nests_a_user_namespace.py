"""Makes a user namespace, in which it would have every capability.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    if libc.unshare(0x10000000) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
