"""Leaves objects whose end would take half a minute, and is right.
Expect: passed
"""
# layer: supervisor, zygote

import time


class Slow:
    def __del__(self):
        time.sleep(30)


kept = [Slow()]
