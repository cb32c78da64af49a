"""Raises an exception with 50 MB of text.
Expect: error
"""
# layer: supervisor

raise ValueError("x" * 50_000_000)
