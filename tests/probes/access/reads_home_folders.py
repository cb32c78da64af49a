"""Lists the home folders and what is in them.
Expect: not passed
"""
# layer: root, landlock

import os


def forbidden():
    found = []
    for folder in ("/root", "/home", os.path.expanduser("~"), "/root/.ssh"):
        try:
            found += [name for name in os.listdir(folder) if name.startswith(".")]
        except OSError:
            continue
    return len(found) > 0
