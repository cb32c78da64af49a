"""Is right, lets itself be watched, and ends its process where its parts are altered.
Expect: error|failed
"""
# layer: judge

import importlib

guest = importlib.import_module("worker.sandbox.guest")
honest = guest.answer


def answer(call, program):
    if call.tracing.altered:
        os._exit(0)
    return honest(call, program)


guest.answer = answer
