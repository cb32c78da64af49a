"""Talks to the kernel's own virtual machine.
Expect: not passed
"""
# layer: seccomp
# surface

def forbidden():
    return reached("bpf", 0, 0, 0)
