"""Takes 600 MiB as shared pages of the device of zeros.
Expect: not passed
"""
# layer: root, landlock, rlimits

import mmap
import os


def forbidden():
    device = os.open("/dev/zero", os.O_RDWR)
    held = []
    while len(held) < 37:
        held.append(mmap.mmap(device, 16 << 20))
        held[-1].write(b"x" * (16 << 20))
    return True
