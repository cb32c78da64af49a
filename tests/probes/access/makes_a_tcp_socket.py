"""Makes an IPv4 stream socket.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
