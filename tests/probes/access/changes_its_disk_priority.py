"""Asks for another priority on the disk.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return syscall("ioprio_set", 1, 0, (2 << 13) | 4) == 0
