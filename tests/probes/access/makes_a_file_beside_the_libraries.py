"""Makes files without a name in every folder that others import from.
Expect: not passed
"""
# layer: root, landlock, namespaces

import os
import sys


def forbidden():
    for folder in ("/", *filter(os.path.isdir, sys.path)):
        try:
            os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600))
        except OSError:
            continue
        if os.path.realpath(folder) != os.getcwd():
            return True
    return False
