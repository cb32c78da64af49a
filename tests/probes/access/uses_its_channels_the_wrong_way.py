"""Writes questions to itself, and reads its own answers.
Expect: not passed
"""
# layer: zygote

import os


def forbidden():
    for attempt in (lambda: os.write(3, b"x"), lambda: os.read(4, 1), lambda: os.read(1, 1)):
        try:
            attempt()
        except OSError:
            continue
        return True
    return False
