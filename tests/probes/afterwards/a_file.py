"""Finds a file that an earlier submission left.
Expect: not passed
"""
# layer: tmpfs
# open: works

def leave():
    open("assay-probe-left", "w").close()


def find():
    return os.path.exists("assay-probe-left")
