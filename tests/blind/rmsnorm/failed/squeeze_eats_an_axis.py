"""RMSNorm whose root mean square is squeezed and unsqueezed.

Wrong: squeeze() without an axis drops every axis of size one.
When: a leading axis other than the first is 1.
Spec: «`d_model` and each leading axis may be 1, or equal to another»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    rms = torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps).squeeze()
    return (h / rms.unsqueeze(-1) * weight.float()).to(x.dtype)
