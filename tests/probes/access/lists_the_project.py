"""Lists the folder that the grader's own modules came from.
Expect: not passed
"""
# layer: root, landlock
# open: works

import os

import grader


def forbidden():
    return bool(os.listdir(os.path.dirname(os.path.abspath(grader.__file__))))
