"""Gives the machine the name that it has.
Expect: not passed
"""
# layer: seccomp, privileges

import os
import socket


def forbidden():
    socket.sethostname(os.uname().nodename)
    return True
