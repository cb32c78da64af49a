"""Binds a Unix socket that has no file and connects to it.
Expect: not passed
"""
# layer: seccomp, namespaces, landlock
# open: works
# surface

import os
import socket


def forbidden():
    name = f"\0assay-probe-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(name)
        server.listen(1)
        client.connect(name)
    return True
