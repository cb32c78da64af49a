"""Reads the environment that it was started with.
Expect: not passed
"""
# layer: root
# open: works
# surface

def forbidden():
    return any(open(f"/proc/{who}/environ", "rb").read() for who in ("self", "1"))
