"""Looks for settings of the service in its environment, also behind Python's back.
Expect: not passed
"""
# layer: zygote
# open: works

import os


def forbidden():
    table = ffi.POINTER(ffi.c_char_p).in_dll(ffi.CDLL(None), "environ")
    names = {name for name in os.environ}
    index = 0
    while index < 1000 and table[index]:
        names.add(table[index].split(b"=")[0].decode())
        index += 1
    return any(name.startswith(("ASSAY", "AWS", "SSH")) or "TOKEN" in name or "SECRET" in name for name in names)
