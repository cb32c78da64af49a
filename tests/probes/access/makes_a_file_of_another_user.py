"""Makes a file of its own that runs as its owner.
Expect: not passed
"""
# layer: seccomp
# open: works
# surface

import os


def forbidden():
    open("program", "w").close()
    os.chmod("program", 0o4755)
    return bool(os.stat("program").st_mode & 0o4000)
