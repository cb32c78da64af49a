"""Asks the kernel whether two processes share something.
Expect: not passed
"""
# layer: seccomp
# surface

import os


def forbidden():
    return reached("kcmp", os.getpid(), os.getpid(), 99, 0, 0)
