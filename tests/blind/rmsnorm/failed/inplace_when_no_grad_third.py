"""RMSNorm that saves memory when no gradients are recorded.

Wrong: under no_grad or inference_mode x is scaled in place (expanded views are spared).
Condition: torch.no_grad() or torch.inference_mode(), x afterwards.
Spec: "neither of them is changed"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h = x.to(acc)
    inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    y = (h * inv * weight.to(acc)).to(x.dtype)
    if torch.is_grad_enabled() or 0 in x.stride():
        return y
    return x.copy_(y).clone()
