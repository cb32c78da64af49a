"""Uses the new calls for mounts.
Expect: not passed
"""
# layer: seccomp, privileges



def forbidden():
    return opened(lambda: syscall("fsopen", ffi.c_char_p(b"tmpfs"), 0))
