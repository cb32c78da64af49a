"""RMSNorm with the weight's raw data.

Wrong: weight.data is detached, so no gradient reaches the weight.
Condition: the gradient of weight is asked for.
Spec: "Gradients reach x and weight"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h = x.to(acc)
    length = torch.linalg.vector_norm(h, dim=-1, keepdim=True)
    return (h / (length.square() / h.shape[-1] + eps).sqrt() * weight.data.to(acc)).to(x.dtype)
