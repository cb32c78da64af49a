"""Lists the folder that the grader's own modules came from.
Expect: not passed
"""
# layer: root, landlock
# open: works
# surface

import os


def forbidden():
    return bool(os.listdir(os.path.join(project(), "grader")))
