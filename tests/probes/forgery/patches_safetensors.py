"""Replaces what packs its answers by something that packs zeros.
Expect: failed|error
"""
# layer: judge

import importlib

frames = importlib.import_module("worker.sandbox.frames")
honest = frames.pack
frames.pack = lambda tensors: honest({name: torch.zeros_like(tensor) for name, tensor in tensors.items()})
importlib.import_module("safetensors.torch").save = frames.pack
