"""Opens a library so that each reading of it makes the machine's disk work.
Expect: not passed
"""
# layer: seccomp
# open: works


def forbidden():
    return opened(lambda: os.open(os.__file__, os.O_RDONLY | os.O_DIRECT))
