"""Talks to the kernel about system-call filters.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return reached("seccomp", 2, 0, 0)
