"""Looks for addresses and keys in the arguments that the process was started with.
Expect: not passed
"""
# layer: zygote

import sys


def forbidden():
    words = ("redis:", "sqlite:", "postgres", "token", "secret", "socket")
    return any(word in argument for argument in [*sys.argv, *sys.orig_argv] for word in words)
