"""Looks whether the root folder is that of the machine.
Expect: not passed
"""
# layer: root
# open: works
# surface

import os


def forbidden():
    return bool({"etc", "proc", "sys", "bin", "sbin", "run", "boot"} & set(os.listdir("/")))
