"""Finds a module that an earlier submission registered.
Expect: not passed
"""
# layer: zygote
# open: works

import sys


def leave():
    sys.modules["left"] = sys


def find():
    return "left" in sys.modules
