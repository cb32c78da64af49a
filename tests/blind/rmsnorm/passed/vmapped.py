"""A right answer of the seventh corpus."""
import torch
from torch.func import vmap


def _one_vector(v, w, eps):
    ms = torch.dot(v, v) / v.numel()
    return v / torch.sqrt(ms + eps) * w


def rmsnorm(x, weight, eps=1e-5):
    *lead, d = x.shape
    compute = x.dtype if x.dtype in (torch.float32, torch.float64) else torch.float32
    rows = x.reshape(-1, d).to(compute)
    f = vmap(_one_vector, in_dims=(0, None, None))
    y = f(rows, weight.to(compute), eps)
    return y.reshape(*lead, d).to(x.dtype)
