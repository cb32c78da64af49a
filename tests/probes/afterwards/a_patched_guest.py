"""Finds the guest's own functions as an earlier submission changed them.
Expect: not passed
"""
# layer: zygote
# open: works

import importlib

guest = importlib.import_module("worker.sandbox.guest")


def leave():
    guest.left = True


def find():
    return hasattr(guest, "left")
