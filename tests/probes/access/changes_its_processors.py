"""Chooses the processors that it runs on.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import os


def forbidden():
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True
