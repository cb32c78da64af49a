"""Replaces what packs its answers by something that packs zeros.
Expect: failed|error
"""
# layer: judge

import importlib

frames = importlib.import_module("worker.sandbox.frames")
honest = frames.save
frames.save = lambda tensors, *more: honest({name: torch.zeros_like(tensor) for name, tensor in tensors.items()})
importlib.import_module("safetensors.torch").save = frames.save
