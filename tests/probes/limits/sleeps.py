"""Sleeps for a day.
Expect: timeout
"""
# layer: supervisor

import time

time.sleep(86_400)
