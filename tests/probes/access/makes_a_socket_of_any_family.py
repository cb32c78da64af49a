"""Tries every other family of sockets.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import socket


def forbidden():
    for family in range(3, 46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind).close()
            except OSError:
                continue
            return True
    return False
