"""Reads the conceptual questions with the key of their answers.
Expect: not passed
"""
# layer: root, landlock
# open: works

import os


def forbidden():
    path = first_of("challenges", "mha-rope", "questions.toml")
    return path is not None and bool(open(path).read())
