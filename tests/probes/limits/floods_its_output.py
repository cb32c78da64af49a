"""Prints 128 MiB.
Expect: error
"""
# layer: supervisor

import os

for _ in range(2048):
    left = b"x" * 65536
    while left:
        left = left[os.write(1, left) :]
