"""Makes a System V message queue and removes it.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

def forbidden():
    queue = syscall("msgget", 0, 0o1600)
    syscall("msgctl", queue, 0, 0)
    return True
