"""Sets up a ring through which calls pass unfiltered.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    return reached("io_uring_setup", 1, 0)
