"""Replaces what packs its answers by something that packs zeros.
Expect: failed|error
"""
# layer: judge

import safetensors.torch
import worker.sandbox.frames as frames

honest = frames.save
frames.save = lambda tensors, *more: honest({name: torch.zeros_like(tensor) for name, tensor in tensors.items()})
safetensors.torch.save = frames.save
