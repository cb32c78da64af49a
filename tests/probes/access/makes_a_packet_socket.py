"""Makes a socket that listens to a network card.
Expect: not passed
"""
# layer: seccomp, privileges

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
