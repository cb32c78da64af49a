"""Imports what knows the database.
Expect: not passed
"""
# layer: root, zygote
# open: works

import importlib


def forbidden():
    return importlib.import_module("app.models") is not None
