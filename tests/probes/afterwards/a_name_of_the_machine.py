"""Finds the machine under a name that an earlier submission gave it.
Expect: not passed
"""
# layer: seccomp, namespaces

import os
import socket


def leave():
    socket.sethostname("left")


def find():
    return os.uname().nodename == "left"
