"""Asks for the mounts by calls that are younger than most filters.
Expect: not passed
"""
# layer: seccomp
# surface



def forbidden():
    request = (ffi.c_uint64 * 4)(24, 0xFFFFFFFFFFFFFFFF, 0, 0)
    found = (ffi.c_uint64 * 16)()
    return syscall("listmount", ffi.byref(request), ffi.byref(found), 16, 0) > 0
