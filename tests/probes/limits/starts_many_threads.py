"""Starts 200 threads that sleep.
Expect: not passed
"""
# layer: rlimits

import threading
import time


def forbidden():
    for _ in range(200):
        try:
            threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
        except RuntimeError:
            return False
    return True
