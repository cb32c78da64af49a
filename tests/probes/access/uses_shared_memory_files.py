"""Makes a file in shared memory and removes it.
Expect: not passed
"""
# layer: root, landlock
# open: works
# surface

import os


def forbidden():
    path = f"/dev/shm/assay-probe-{os.getpid()}"
    open(path, "w").close()
    os.unlink(path)
    return True
