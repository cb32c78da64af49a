"""A right answer of the seventh corpus."""
import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    """sqrt(sum x^2 + d*eps) is the length of x with one more feature, sqrt(d*eps)."""
    d = x.shape[-1]
    h = x.double()
    extra = h.new_full((*h.shape[:-1], 1), (d * eps) ** 0.5)
    unit = F.normalize(torch.cat((h, extra), dim=-1), p=2.0, dim=-1, eps=1e-150)
    y = unit[..., :d] * d**0.5
    return (y * weight).type_as(x)
