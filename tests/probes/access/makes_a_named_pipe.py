"""Makes a named pipe.
Expect: not passed
"""
# layer: seccomp, landlock
# open: works
# surface

import os


def forbidden():
    os.mkfifo("pipe")
    return True
