"""Makes a file in memory, from which a program could be run.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return opened(lambda: syscall("memfd_create", ffi.c_char_p(b"probe"), 0))
