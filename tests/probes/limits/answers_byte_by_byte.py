"""Sends an answer one byte at a time, so that there is always something new.
Expect: timeout
"""
# layer: supervisor

import os
import struct
import time

os.write(4, struct.pack("<IQ", 1000, 0))
for _ in range(900):
    os.write(4, b" ")
    time.sleep(0.05)
