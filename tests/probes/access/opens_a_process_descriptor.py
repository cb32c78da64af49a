"""Opens a descriptor of a process, to signal it or to take from it.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import os


def forbidden():
    return opened(lambda: os.pidfd_open(os.getpid()))
