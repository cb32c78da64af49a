"""Takes 600 MiB as pages of files of its own.
Expect: not passed
"""
# layer: tmpfs, rlimits

import mmap


def forbidden():
    held = []
    while len(held) < 37:
        held.append(open(f"{len(held)}", "w+b"))
        held[-1].truncate(16 << 20)
        held.append(mmap.mmap(held[-1].fileno(), 16 << 20))
        held[-1].write(b"x" * (16 << 20))
    return True

