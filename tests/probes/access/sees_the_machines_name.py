"""Reads the machine's name.
Expect: not passed
"""
# layer: namespaces
# open: works
# surface

import os


def forbidden():
    return os.uname().nodename != "sandbox"
