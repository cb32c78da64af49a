"""Opens files of the standard library and of torch for writing, and changes nothing.
Expect: not passed
"""
# layer: root, landlock, namespaces

import os

import torch


def forbidden():
    for path in (os.__file__, torch.__file__):
        try:
            os.close(os.open(path, os.O_RDWR))
        except OSError:
            continue
        return True
    return False
