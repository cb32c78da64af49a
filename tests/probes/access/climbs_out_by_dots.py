"""Climbs above the root with dots, from descriptors and by names.
Expect: not passed
"""
# layer: root
# open: works
# surface

import os


def forbidden():
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    names = ("../../../../etc/passwd", "../etc/passwd")
    found = [os.path.exists("/".join(("/tmp", name))) for name in names]
    for name in names:
        try:
            found.append(opened(lambda: os.open(name, os.O_RDONLY, dir_fd=root)))
        except OSError:
            continue
    return any(found)
