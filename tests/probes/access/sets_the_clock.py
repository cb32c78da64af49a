"""Sets the clock to a time that does not exist.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return reached("clock_settime", 0, ffi.byref((ffi.c_long * 2)(0, -1)))
