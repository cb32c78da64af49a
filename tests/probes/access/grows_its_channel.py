"""Makes the pipe of its answers larger, at the kernel's cost.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import fcntl
import os


def forbidden():
    reading, writing = os.pipe()
    return fcntl.fcntl(writing, 1031, 1 << 17) > 0
