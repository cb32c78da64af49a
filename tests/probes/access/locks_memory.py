"""Keeps memory from being swapped out.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("mlock", 0, 0)
