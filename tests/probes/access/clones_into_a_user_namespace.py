"""Makes a process in a new user namespace; it ends at once.
Expect: not passed
"""
# layer: seccomp
# surface

import os


def forbidden():
    pid = syscall("clone", 0x10000000 | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True
