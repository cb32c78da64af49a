"""Takes 600 MiB as shared pages of the device of zeros, which it only reads.
Expect: not passed
"""
# layer: root, rlimits

import mmap
import os


def forbidden():
    device = os.open("/dev/zero", os.O_RDONLY)
    held = []
    while len(held) < 37:
        held.append(mmap.mmap(device, 16 << 20, mmap.MAP_SHARED, mmap.PROT_READ))
        for offset in range(0, 16 << 20, 4096):
            held[-1][offset]
    return True
