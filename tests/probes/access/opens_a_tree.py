"""Takes a descriptor of a mounted tree.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface



def forbidden():
    return opened(lambda: syscall("open_tree", -100, ffi.c_char_p(b"/"), 0))
