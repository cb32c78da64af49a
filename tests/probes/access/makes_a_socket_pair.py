"""Makes a pair of sockets, over which descriptors could travel.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import socket


def forbidden():
    return all(opened(lambda end=end: end) for end in socket.socketpair())
