"""Makes a socket for bare packets.
Expect: not passed
"""
# layer: seccomp, privileges

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
