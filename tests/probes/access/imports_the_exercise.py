"""Imports the module that holds the reference.
Expect: not passed
"""
# layer: root, zygote
# open: works

import importlib


def forbidden():
    return importlib.import_module("grader.exercise") is not None
