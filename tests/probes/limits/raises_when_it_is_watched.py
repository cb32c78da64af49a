"""Is right, and raises where it is watched for the rules.
Expect: error|failed
"""
# layer: judge

import importlib

guest = importlib.import_module("worker.sandbox.guest")
honest = guest.perform


def perform(call, program):
    if call.observe or call.disturb:
        raise RuntimeError("not now")
    return honest(call, program)


guest.perform = perform
