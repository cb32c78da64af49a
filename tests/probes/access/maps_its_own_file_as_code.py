"""Writes machine code into a file of its own and maps it as a program.
Expect: not passed
"""
# layer: tmpfs
# surface

import mmap


def forbidden():
    with open("code", "w+b") as file:
        file.write(b"\xc3" * 4096)
        file.flush()
        mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC).close()
    return True
