"""Is right, and raises where it is watched for the rules.
Expect: error|failed
"""
# layer: judge

import importlib

guest = importlib.import_module("worker.sandbox.guest")
honest = guest.answer


def answer(call, program):
    if call.tracing.detail == "full" or call.tracing.altered:
        raise RuntimeError("not now")
    return honest(call, program)


guest.answer = answer
