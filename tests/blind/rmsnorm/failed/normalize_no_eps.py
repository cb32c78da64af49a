"""F.normalize makes unit vectors, but eps does not enter where it should."""
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    z = x.float()
    y = F.normalize(z, dim=-1, eps=max(eps, 1e-30)) * z.shape[-1] ** 0.5
    return (y * weight.float()).to(x.dtype)
