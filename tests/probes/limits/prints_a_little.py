"""Prints a megabyte, which is nobody's business, and is right.
Expect: passed
"""
# layer: supervisor

print("x" * 1_000_000)
