"""Takes 600 MiB as memory that could be shared.
Expect: not passed
"""
# layer: seccomp

import mmap


def forbidden():
    held = []
    while len(held) < 37:
        held.append(mmap.mmap(-1, 16 << 20))
        held[-1].write(b"x" * (16 << 20))
    return True

