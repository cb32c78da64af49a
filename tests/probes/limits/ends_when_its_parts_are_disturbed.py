"""Is right, lets itself be watched, and ends its process where its parts are disturbed.
Expect: error|failed
"""
# layer: judge

import importlib

guest = importlib.import_module("worker.sandbox.guest")
honest = guest.perform


def perform(call, program):
    if call.disturb:
        os._exit(0)
    return honest(call, program)


guest.perform = perform
