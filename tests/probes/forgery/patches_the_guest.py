"""Replaces the functions that make calls and send outcomes.
Expect: failed|error
"""
# layer: judge

import importlib

guest = importlib.import_module("worker.sandbox.guest")
honest = guest.perform


def perform(call, program):
    outcome = honest(call, program)
    object.__setattr__(outcome, "outputs", tuple(torch.zeros_like(output) for output in outcome.outputs))
    return outcome


guest.perform = importlib.import_module("grader.perform").perform = perform
