"""Makes one more process by the bare system call; it ends at once.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import os


def forbidden():
    pid = syscall("clone", 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True
