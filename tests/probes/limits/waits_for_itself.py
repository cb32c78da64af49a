"""Waits for a lock that it holds.
Expect: timeout
"""
# layer: supervisor

import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()
