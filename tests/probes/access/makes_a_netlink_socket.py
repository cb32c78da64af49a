"""Makes a socket to the kernel's network settings.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
