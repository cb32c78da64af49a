"""Makes an IPv4 datagram socket.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
