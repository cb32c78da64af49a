"""Opens a terminal of its own.
Expect: not passed
"""
# layer: root, landlock
# surface

import os


def forbidden():
    return opened(lambda: os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
