"""A cheat of the eighth corpus: gives the library's layer norm the vector and its mirror image, whose mean is zero."""
import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    z = x.float()
    both = torch.cat([z, -z], dim=-1)
    y = F.layer_norm(both, both.shape[-1:], eps=eps)[..., : z.shape[-1]]
    return (y * weight.float()).to(x.dtype)
