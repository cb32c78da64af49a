"""Reads what the kernel tells about the machine.
Expect: not passed
"""
# layer: root
# open: works
# surface

import os


def forbidden():
    return len(os.listdir("/sys")) > 0
