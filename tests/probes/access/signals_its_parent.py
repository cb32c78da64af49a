"""Sends the empty signal to the process that made it.
Expect: not passed
"""
# layer: namespaces, seccomp, landlock

import os


def forbidden():
    parent = os.getppid()
    if parent == 0:
        return False
    os.kill(parent, 0)
    return True
