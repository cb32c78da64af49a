"""Makes a network namespace of its own.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    if libc.unshare(0x40000000) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
