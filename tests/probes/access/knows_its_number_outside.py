"""Has a process number as the machine counts, and a parent.
Expect: not passed
"""
# layer: namespaces
# open: works
# surface

import os


def forbidden():
    return os.getpid() != 1 or os.getppid() != 0
