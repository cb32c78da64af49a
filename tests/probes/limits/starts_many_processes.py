"""Starts 40 processes that sleep for a second.
Expect: not passed
"""
# layer: seccomp, rlimits

import time


def forbidden():
    for _ in range(40):
        if os.fork() == 0:
            time.sleep(1)
            os._exit(0)
    return True
