"""Makes a device file of its own.
Expect: not passed
"""
# layer: seccomp, privileges, landlock

import os


def forbidden():
    os.mknod("null", 0o020600, os.makedev(1, 3))
    return True
