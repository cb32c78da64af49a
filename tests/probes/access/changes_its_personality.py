"""Asks which old system it pretends to be.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("personality", 0xFFFFFFFF)
