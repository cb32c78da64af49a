"""Renames a file of the standard library to the name that it has.
Expect: not passed
"""
# layer: root, landlock, namespaces

import os


def forbidden():
    os.rename(os.__file__, os.__file__)
    return True
