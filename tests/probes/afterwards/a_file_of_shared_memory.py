"""Finds a file in shared memory that an earlier submission left.
Expect: not passed
"""
# layer: root, landlock
# open: works

def leave():
    open("/dev/shm/assay-probe-left", "w").close()


def find():
    os.unlink("/dev/shm/assay-probe-left")
    return True
