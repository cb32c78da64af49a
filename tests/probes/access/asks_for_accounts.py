"""Asks for the accounts of the machine.
Expect: not passed
"""
# layer: root
# open: works
# surface

import pwd


def forbidden():
    return len(pwd.getpwall()) > 0
