"""A pathlib.Path is refused.

`+` joins two texts, and a Path is none. Make a str of it first, with `os.fspath`, or use its `with_name`.
"""

import os


def write(checkpoint, out):
    if hasattr(out, "write"):
        torch.save(checkpoint, out)
    else:
        torch.save(checkpoint, out + ".part")
        os.replace(out + ".part", out)
