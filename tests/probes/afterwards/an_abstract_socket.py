"""Reaches a socket that an earlier submission left open.
Expect: not passed
"""
# layer: seccomp, namespaces
# open: works

import socket

kept = []


def leave():
    server = socket.socket(socket.AF_UNIX)
    server.bind("\0assay-probe-left")
    server.listen(1)
    kept.append(server)


def find():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0assay-probe-left")
    return True
