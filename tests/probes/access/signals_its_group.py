"""Sends the empty signal to its process group, in which its parent might be.
Expect: not passed
"""
# layer: seccomp

import os


def forbidden():
    os.kill(0, 0)
    return True
