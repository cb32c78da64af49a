"""Moves pages of memory into a pipe without a copy.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    return reached("vmsplice", -1, 0, 0, 0)
