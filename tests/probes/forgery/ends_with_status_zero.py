"""Ends with status 0 before it is asked anything.
Expect: error
"""
# layer: judge

import os

os._exit(0)
