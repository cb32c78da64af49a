"""Replaces the functions that make calls and send outcomes.
Expect: failed|error
"""
# layer: judge

import importlib

guest = importlib.import_module("worker.sandbox.guest")
honest = guest.answer


def answer(call, program):
    outcome = honest(call, program)
    object.__setattr__(outcome, "outputs", tuple(torch.zeros_like(output) for output in outcome.outputs))
    return outcome


guest.answer = importlib.import_module("grader.guest.steps").answer = answer
