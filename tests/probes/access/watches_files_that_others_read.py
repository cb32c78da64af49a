"""Asks to be told when others open the libraries.
Expect: not passed
"""
# layer: seccomp
# open: works

def forbidden():
    return opened(lambda: syscall("inotify_init1", 0))
