"""Asks to be another user.
Expect: not passed
"""
# layer: seccomp, privileges, namespaces

import os


def forbidden():
    os.setresgid(12345, 12345, 12345)
    return True
