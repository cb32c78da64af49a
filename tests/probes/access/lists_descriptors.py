"""Lists its descriptors where the system shows them.
Expect: not passed
"""
# layer: root
# open: works
# surface

import os


def forbidden():
    return any(os.listdir(place) for place in ("/proc/self/fd", "/dev/fd"))
