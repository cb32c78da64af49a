"""Looks for open descriptors besides those of every session.
Expect: not passed
"""
# layer: zygote
# open: works

import os


def forbidden():
    found = []
    for descriptor in range(5, 4096):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return len(found) > 0
