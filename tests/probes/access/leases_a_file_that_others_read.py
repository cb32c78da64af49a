"""Takes a record lock on a file of the standard library, which others can see.
Expect: not passed
"""
# layer: seccomp
# open: works

import fcntl
import os


def forbidden():
    with open(os.__file__) as file:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1)
    return True
