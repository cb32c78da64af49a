"""Calls itself in C without end, after it has lifted Python's limit.
Expect: error
"""
# layer: zygote, rlimits

import sys

sys.setrecursionlimit(10**9)


class Again:
    def __repr__(self):
        return repr(self)


repr(Again())
