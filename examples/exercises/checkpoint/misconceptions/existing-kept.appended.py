"""A file that is there is not replaced.

Where a path is left alone, or opened with "ab", whoever loads finds an earlier checkpoint. Open it with "wb", which replaces what was there.
"""

import os
import pickle


def write(checkpoint, out):
    if isinstance(out, (str, os.PathLike)):
        with open(out, "ab") as file:
            pickle.dump(checkpoint, file)
    else:
        pickle.dump(checkpoint, out)


def read(src):
    if isinstance(src, (str, os.PathLike)):
        with open(src, "rb") as file:
            return pickle.load(file)
    return pickle.load(src)
