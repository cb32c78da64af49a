"""Finds words of an earlier submission among all objects.
Expect: not passed
"""
# layer: zygote
# open: works

import sys


def leave():
    sys.left = ["-".join(("left", "by", "a", "probe"))]


def find():
    word = "-".join(("left", "by", "a", "probe"))
    return any(type(thing) is list and word in [item for item in thing if type(item) is str] for thing in everything())
