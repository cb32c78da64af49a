"""Leaves threads running that never end, and is right.
Expect: passed
"""
# layer: supervisor, namespaces

import threading
import time


def stay():
    while True:
        time.sleep(0.05)


threading.Thread(target=stay, daemon=True).start()
threading.Thread(target=stay, daemon=False).start()
