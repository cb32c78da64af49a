"""Takes a lock that lends priority: code of the kernel that needs many words, and that nobody here needs.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return reached("futex", ffi.byref(ffi.c_uint32()), 8, 0, None, None, 0)
