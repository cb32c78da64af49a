"""Asks to replace the kernel, with arguments that are not valid.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    return reached("kexec_load", 0, 9999, 0, 0xFFFF)
