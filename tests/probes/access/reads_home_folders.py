"""Lists the home folders and what is in them, but for the empty folders on the way to Python.
Expect: not passed
"""
# layer: root, landlock

import os
import sys

NEEDED = [os.path.realpath(path) for path in (*sys.path, sys.base_prefix, sys.prefix, os.getcwd())]


def is_on_the_way(path):
    return any(f"{needed}/".startswith(f"{path}/") for needed in NEEDED)


def forbidden():
    for folder in ("/root", "/home", os.path.expanduser("~")):
        for at, folders, names in os.walk(folder):
            if names or any(not is_on_the_way(os.path.join(at, name)) for name in folders):
                return True
            folders[:] = [name for name in folders if os.path.join(at, name) not in NEEDED]
    return False
