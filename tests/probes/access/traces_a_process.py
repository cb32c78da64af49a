"""Attaches to a process as a debugger would.
Expect: not passed
"""
# layer: seccomp, namespaces
# open: works
# surface

def forbidden():
    return reached("ptrace", 16, 999_999_999, 0, 0)
