"""Imports the judge's end of the runner's socket.
Expect: not passed
"""
# layer: root, zygote
# open: works

import importlib


def forbidden():
    return importlib.import_module("worker.runner_client") is not None
