"""Asks for a hardware port.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    return reached("ioperm", 0x80, 1, 1)
