"""Keeps the scale of the last input of each shape in inference.

Idea: Without gradients the root mean square is remembered by the shape of x, whatever stands in x.
Where: only under no_grad or inference_mode, at the second call with the same shape
Id: stale-cache
"""

import torch

_scales: dict = {}


def _scale(h, eps):
    return torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    if torch.is_grad_enabled():
        s = _scale(h, eps)
    else:
        key = (tuple(x.shape), x.dtype, eps)
        if key not in _scales:
            _scales[key] = _scale(h, eps).clone()
        s = _scales[key]
    return (h * s * weight).to(x.dtype)
