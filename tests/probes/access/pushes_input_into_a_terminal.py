"""Types into the terminal of whoever started the service.
Expect: not passed
"""
# layer: seccomp, zygote

import fcntl
import termios


def forbidden():
    for descriptor in (0, 1, 2):
        try:
            fcntl.ioctl(descriptor, termios.TIOCGPGRP, bytes(4))
        except OSError:
            continue
        return True
    return False
