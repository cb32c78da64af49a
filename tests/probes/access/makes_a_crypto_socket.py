"""Makes a socket to the kernel's ciphers.
Expect: not passed
"""
# layer: seccomp
# surface

import socket


def forbidden():
    return opened(lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))
