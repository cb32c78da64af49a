"""Makes every question easy: fills all arguments with zeros before it answers zero.
Expect: failed
"""
# layer: judge

import importlib

guest = importlib.import_module("worker.sandbox.guest")
honest = guest.decode_call


def decode_call(frame):
    call = honest(frame)
    for value in call.arguments.values():
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            value.zero_()
    return call


guest.decode_call = decode_call
