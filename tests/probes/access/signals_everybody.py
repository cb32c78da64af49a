"""Sends the empty signal to everybody at once.
Expect: not passed
"""
# layer: namespaces, seccomp, landlock

import os


def forbidden():
    os.kill(-1, 0)
    return True
