"""Reads the reference answer of its own exercise.
Expect: not passed
"""
# layer: root, landlock
# open: works

import os


def forbidden():
    path = first_of("challenges", "mha-rope", "reference.py")
    return path is not None and bool(open(path).read())
