"""Handles its own page faults, which makes races in the kernel easy.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    return reached("userfaultfd", 1)
