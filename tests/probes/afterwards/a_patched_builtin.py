"""Finds a builtin of an earlier submission.
Expect: not passed
"""
# layer: zygote
# open: works

import builtins


def leave():
    builtins.left = True


def find():
    return hasattr(builtins, "left")
