"""Makes one more process, which ends at once.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import os


def forbidden():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True
