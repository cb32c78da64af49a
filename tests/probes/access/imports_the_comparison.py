"""Imports the module that compares.
Expect: not passed
"""
# layer: root, zygote
# open: works

import importlib


def forbidden():
    return importlib.import_module("grader.comparison.compare") is not None
