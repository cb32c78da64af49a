"""Imports the package of all exercises.
Expect: not passed
"""
# layer: root, zygote
# open: works

import importlib


def forbidden():
    return importlib.import_module("challenges") is not None
