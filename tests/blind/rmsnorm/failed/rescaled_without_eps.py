"""Guards against overflow by dividing by the largest entry first, but adds eps to the mean square of the scaled vector."""
# expect: eps not scaled with input
import torch


def rmsnorm(x, weight, eps=1e-5):
    up = torch.promote_types(x.dtype, torch.float32)
    h = x.to(up)
    largest = h.abs().amax(dim=-1, keepdim=True).detach()
    h = h / torch.where(largest == 0, torch.ones_like(largest), largest)
    rms = torch.sqrt(h.square().mean(dim=-1, keepdim=True) + eps)
    return (h / rms * weight.to(up)).to(x.dtype)
