"""Mounts a file system on its own folder.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    if libc.mount(b"none", os.getcwd().encode(), b"tmpfs", 0, None) < 0:
        raise OSError(ffi.get_errno(), "refused")
    return True
