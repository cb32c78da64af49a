"""Asks for a route to an address that belongs to nobody, and sends nothing.
Expect: not passed
"""
# layer: seccomp, namespaces

import socket


def forbidden():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect(("192.0.2.1", 9))
        return client.getsockname()[0] != "0.0.0.0"
