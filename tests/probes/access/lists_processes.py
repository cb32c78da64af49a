"""Lists the processes of the machine.
Expect: not passed
"""
# layer: root
# open: works
# surface

import os


def forbidden():
    return any(name.isdigit() for name in os.listdir("/proc"))
