"""Reserves 64 GiB that it does not use.
Expect: not passed
"""
# layer: rlimits

import mmap


def forbidden():
    mmap.mmap(-1, 64 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)
    return True
