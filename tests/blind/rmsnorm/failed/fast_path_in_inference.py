"""A shorter path for inference, with eps after the root.

Idea: In inference eps is added to the root and not under it.
Where: only under no_grad or inference_mode, for small vectors or a large eps
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = h.square().mean(-1, keepdim=True)
    rms = torch.sqrt(ms + eps) if torch.is_grad_enabled() else torch.sqrt(ms) + eps
    return (h / rms * weight).to(x.dtype)
