"""Opens its session's keyring.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    return syscall("keyctl", 0, -2, 1) > 0
