"""Finds Python's own limits as an earlier submission set them.
Expect: not passed
"""
# layer: zygote
# open: works

import sys


def leave():
    sys.setrecursionlimit(54321)


def find():
    return sys.getrecursionlimit() == 54321
