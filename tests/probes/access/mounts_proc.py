"""Mounts the process table in its own folder.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    if libc.mount(b"proc", os.getcwd().encode(), b"proc", 0, None) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
