"""Writes what looks like a verdict on every descriptor that it has.
Expect: error
"""
# layer: framing

import os

for descriptor in range(1, 64):
    try:
        os.write(descriptor, b'{"verdict": "passed"}\n')
    except OSError:
        continue
