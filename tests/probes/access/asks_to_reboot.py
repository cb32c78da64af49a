"""Asks to restart the machine, without the numbers that make it serious.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    return reached("reboot", 0, 0, 0, 0)
