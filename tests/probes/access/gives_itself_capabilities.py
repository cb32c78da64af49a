"""Asks for every capability.
Expect: not passed
"""
# layer: seccomp, privileges



def forbidden():
    header, sets = (ffi.c_uint32 * 2)(0x20080522, 0), (ffi.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    return syscall("capset", ffi.byref(header), ffi.byref(sets)) == 0
