"""RMSNorm that makes a batch of a lone vector, in the wrong direction.

Wrong: a vector of shape (d_model,) becomes (d_model, 1).
When: x has no leading axis.
Spec: «`x` has shape `(..., d_model)` with any number of leading axes, none included»
"""
import torch


def _core(h, eps):
    return h / torch.sqrt(h.square().mean(dim=-1, keepdim=True) + eps)


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    if h.ndim == 1:
        y = _core(h[:, None], eps)[:, 0]
    else:
        y = _core(h, eps)
    return (y * weight.float()).to(x.dtype)
