"""Connects to where a database, a queue or a Docker engine would listen.
Expect: not passed
"""
# layer: seccomp, namespaces, landlock

import socket


def forbidden():
    for port in (22, 80, 443, 2375, 5432, 6379, 8000, 8080):
        with socket.socket() as client:
            client.settimeout(0.2)
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return True
    return False
