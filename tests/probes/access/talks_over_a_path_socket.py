"""Binds a Unix socket in its own folder and connects to it.
Expect: not passed
"""
# layer: seccomp, landlock
# open: works
# surface

import socket


def forbidden():
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("talk")
        server.listen(1)
        client.connect("talk")
    return True
