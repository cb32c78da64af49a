"""The file has another name than was asked for.

The suffix is replaced, or added where there is none. Whoever loads may look for the very name: leave it as it is.
"""

from pathlib import Path


def _with_suffix(place):
    return place if hasattr(place, "read") or hasattr(place, "write") else Path(place).with_suffix(".pt")


def write(checkpoint, out):
    torch.save(checkpoint, _with_suffix(out))


def read(src):
    return torch.load(_with_suffix(src))
