"""RMSNorm with a table of weights in float32.

Wrong: a weight that needs no gradient is copied once and not read again.
When: a second call with the same weight tensor and other values in it.
Spec: «Nothing is remembered from one call to the next: the same tensors may come again with other values in them.»
"""
import torch

_float32_weights = {}


def _weight(weight):
    if weight.requires_grad:
        return weight.float()
    if id(weight) not in _float32_weights:
        _float32_weights[id(weight)] = (weight, weight.to(torch.float32, copy=True))
    return _float32_weights[id(weight)][1]


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + eps) * _weight(weight)).to(x.dtype)
