"""Changes its root and climbs out of it, the oldest trick.
Expect: not passed
"""
# layer: seccomp, privileges

import os


def forbidden():
    os.mkdir("cell")
    os.chroot("cell")
    for _ in range(64):
        os.chdir("..")
    return os.path.exists("etc/passwd")
