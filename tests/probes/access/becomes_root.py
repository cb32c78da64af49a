"""Asks to be root.
Expect: not passed
"""
# layer: seccomp, privileges, namespaces

import os


def forbidden():
    os.setuid(0)
    return os.geteuid() == 0
