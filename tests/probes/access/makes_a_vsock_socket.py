"""Makes a socket to the hypervisor, which no network namespace holds.
Expect: not passed
"""
# layer: seccomp
# surface

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
