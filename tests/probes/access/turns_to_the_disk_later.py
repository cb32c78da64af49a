"""Opens a library as everybody does, and changes then how it is read: from the machine's disk, each time.
Expect: not passed
"""
# layer: seccomp
# open: works

import fcntl


def forbidden():
    with open(os.__file__) as file:
        fcntl.fcntl(file, fcntl.F_SETFL, os.O_DIRECT)
    return True
