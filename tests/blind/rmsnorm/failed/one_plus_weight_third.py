"""RMSNorm with a centred weight, as Gemma has it.

Wrong: the result is multiplied by 1 + weight.
Condition: always, but for zero vectors.
Spec: "y_i = x_i / rms(x) * weight_i"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    h = h / torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * (1 + weight.to(h.dtype))).to(x.dtype)
