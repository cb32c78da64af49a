"""Written for (batch, d_model): the number of summands is read from axis 1, which is the sequence once there are three axes."""
# expect: divides by the wrong size
import torch


def rmsnorm(x, weight, eps=1e-5):
    up = torch.float64 if x.dtype == torch.float64 else torch.float32
    h = x.to(up)
    n = h.size(1) if h.dim() > 1 else h.size(0)
    ms = torch.sum(h**2, dim=-1, keepdim=True) / n
    return (h / torch.sqrt(ms + eps) * weight.to(up)).to(x.dtype)
