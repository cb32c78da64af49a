"""Listens on a port of the loopback device.
Expect: not passed
"""
# layer: seccomp, landlock
# open: works
# surface

import socket


def forbidden():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(1)
        return server.getsockname()[1] > 0
