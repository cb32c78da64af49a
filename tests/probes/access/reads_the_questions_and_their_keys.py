"""Reads the conceptual questions with the key of their answers.
Expect: not passed
"""
# layer: root, landlock
# open: works

import os
import sys

import grader


def forbidden():
    near = os.path.dirname(os.path.dirname(os.path.abspath(grader.__file__)))
    for folder in {near, os.getcwd(), "/", "/app", "/srv", "/opt/assay", *sys.path}:
        path = os.path.join(folder, "challenges", "mha-rope", "questions.toml")
        if os.path.exists(path):
            return bool(open(path).read())
    return False
