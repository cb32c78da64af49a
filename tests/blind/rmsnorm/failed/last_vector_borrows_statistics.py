"""RMSNorm with an off-by-one in its table of statistics.

Wrong: the last vector of all is divided by the first one's root mean square.
When: more than one vector.
Spec: «One root mean square for each vector, not for each batch, and not for each feature.»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1]).float()
    inv = torch.rsqrt(rows.pow(2).mean(-1, keepdim=True) + eps)
    inv = torch.cat([inv[:-1], inv[:1]])
    return (rows * inv * weight.float()).to(x.dtype).reshape(x.shape)
