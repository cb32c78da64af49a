"""RMSNorm that takes a call without x.requires_grad for inference.

Wrong: where x needs no gradient the weight is detached.
Condition: the gradient of weight alone is asked for.
Spec: "the gradients of `x`, of `weight`, and of both"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    training = x.requires_grad
    h = x.to(acc)
    w = weight.to(acc) if training else weight.detach().to(acc)
    return (h / (h.pow(2).mean(-1, True) + eps).sqrt() * w).to(x.dtype)
