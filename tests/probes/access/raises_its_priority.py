"""Asks for more of the processor than others.
Expect: not passed
"""
# layer: seccomp, privileges

import os


def forbidden():
    return os.nice(-5) < 0
