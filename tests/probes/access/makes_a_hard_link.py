"""Gives a file of its own a second name.
Expect: not passed
"""
# layer: seccomp, landlock
# open: works
# surface

import os


def forbidden():
    open("one", "w").close()
    os.link("one", "two")
    return True
