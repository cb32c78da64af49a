"""Copies a descriptor out of another process.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("pidfd_getfd", -1, 0, 0)
