"""Sends the beginning of an answer, and then nothing.
Expect: timeout
"""
# layer: supervisor

import os
import time

os.write(4, b"\x10\0\0\0")
time.sleep(60)
