"""Makes an IPv6 socket.
Expect: not passed
"""
# layer: seccomp
# surface

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM))
