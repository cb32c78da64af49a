"""Asks for each process number up to 3,000 whether somebody has it.
Expect: not passed
"""
# layer: namespaces, seccomp, landlock

import os


def forbidden():
    found = 0
    for pid in range(2, 3000):
        try:
            os.kill(pid, 0)
        except OSError:
            continue
        found += pid != os.getpid()
    return found > 0
