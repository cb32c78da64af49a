"""Asks to be told of every access to a file system.
Expect: not passed
"""
# layer: seccomp, privileges

def forbidden():
    return opened(lambda: syscall("fanotify_init", 0, 0))
