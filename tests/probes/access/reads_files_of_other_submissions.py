"""Looks for files in the folders for temporary files, at most 10,000 names.
Expect: not passed
"""
# layer: tmpfs

import os
import tempfile


def forbidden():
    found = []
    for folder in {tempfile.gettempdir(), "/tmp", "/scratch", "/var/tmp", "/dev/shm"}:
        for _, folders, names in os.walk(folder):
            found += [*folders, *names]
            if len(found) > 10_000:
                break
    return len(found) > 0
