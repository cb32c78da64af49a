"""A file that is there is not replaced.

Where a path is left alone, or opened with "ab", whoever loads finds an earlier checkpoint. Open it with "wb", which replaces what was there.
"""

import os


def write(checkpoint, out):
    if hasattr(out, "write") or not os.path.exists(out):
        torch.save(checkpoint, out)
