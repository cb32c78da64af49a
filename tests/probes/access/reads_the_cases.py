"""Reads how the paper's cases are drawn.
Expect: not passed
"""
# layer: root, landlock
# open: works

import os


def forbidden():
    path = first_of("challenges", "mha-rope", "cases.py")
    return path is not None and bool(open(path).read())
