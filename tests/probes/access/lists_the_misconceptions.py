"""Lists the mistakes that the judge knows.
Expect: not passed
"""
# layer: root, landlock
# open: works

import os


def forbidden():
    path = first_of("challenges", "mha-rope", "misconceptions")
    return path is not None and bool(os.listdir(path))
