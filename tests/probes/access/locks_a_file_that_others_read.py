"""Locks a file of the standard library against everybody.
Expect: not passed
"""
# layer: seccomp
# open: works

import fcntl
import os


def forbidden():
    with open(os.__file__) as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return True
