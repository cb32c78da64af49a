"""Computes a number with a billion digits when it is imported.
Expect: timeout|error
"""
# layer: supervisor, rlimits

base = 7
number = base ** (base ** 11)
