"""Prints 128 MiB.
Expect: error
"""
# layer: supervisor

import os

for _ in range(2048):
    os.write(1, b"x" * 65536)
