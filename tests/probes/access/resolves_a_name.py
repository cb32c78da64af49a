"""Asks for the address of this machine's own name.
Expect: not passed
"""
# layer: root, seccomp
# open: works
# surface

import socket


def forbidden():
    return len(socket.getaddrinfo("localhost", 80)) > 0
