"""Reads the password file through a symbolic link of its own.
Expect: not passed
"""
# layer: seccomp, root, landlock
# open: works
# surface

import os


def forbidden():
    os.symlink("/etc/passwd", "link")
    return bool(open("link").read(10))
