"""Mounts the root folder again, for writing.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    if libc.mount(None, b"/", None, 32 | 4096, None) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
