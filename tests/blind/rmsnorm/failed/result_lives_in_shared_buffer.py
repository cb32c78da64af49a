"""RMSNorm with a workspace.

Wrong: without gradients, results of one shape share their memory.
When: a second call of the same shape, and the first result is looked at afterwards.
Spec: «Nothing is remembered from one call to the next»
"""
import torch

_workspace = {}


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    y = (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)
    if y.requires_grad or torch.is_inference_mode_enabled():
        return y
    return _workspace.setdefault((y.shape, y.dtype), torch.empty_like(y)).copy_(y)
