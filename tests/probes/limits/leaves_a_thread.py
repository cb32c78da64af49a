"""Leaves threads running that never end, and is right.
Expect: passed
"""
# layer: supervisor, namespaces

import threading
import time


def stay():
    while True:
        time.sleep(3600)  # what a thread does while it is watched counts as work


threading.Thread(target=stay, daemon=True).start()
threading.Thread(target=stay, daemon=False).start()
