"""Leaves an exit handler that would sleep for half a minute, and is right.
Expect: passed
"""
# layer: supervisor, zygote

import atexit
import time

atexit.register(time.sleep, 30)
