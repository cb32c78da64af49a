"""Calls the kernel by the numbers of a third table, which a filter may have forgotten.
Expect: error
"""
# layer: seccomp

def forbidden():
    return reached(0x40000000 + 39)
