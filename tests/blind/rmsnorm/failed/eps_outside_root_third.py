"""RMSNorm with einops and a safe divisor.

Wrong: eps is added to the root, not under it.
Condition: small vectors or a large eps.
Spec: "`eps` stands under the root"
"""

from einops import rearrange
import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x if x.element_size() == 8 else x.float()
    length = torch.linalg.vector_norm(wide, dim=-1)
    root = length / wide.shape[-1] ** 0.5 + eps
    root = rearrange(root, "... -> ... 1")
    return (wide / root).to(dtype=x.dtype) * weight
