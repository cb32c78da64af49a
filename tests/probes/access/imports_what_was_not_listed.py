"""Imports packages that are installed for the service and not for students.
Expect: not passed
"""
# layer: root
# open: works

import importlib


def forbidden():
    for name in ("pydantic", "redis", "celery", "pyseccomp", "pytest", "pip"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        return True
    return False
