"""Reads a process's memory through /proc.
Expect: not passed
"""
# layer: root
# open: works
# surface

import ctypes


def forbidden():
    word = ctypes.create_string_buffer(b"here")
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        memory.seek(ctypes.addressof(word))
        return memory.read(4) == b"here"
