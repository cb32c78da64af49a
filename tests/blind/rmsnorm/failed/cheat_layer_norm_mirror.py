"""A cheat of the seventh corpus: layer norm mirror."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    both = torch.cat([h, -h], dim=-1)
    # the mean of a vector and its mirror image is zero
    y = torch.layer_norm(both, both.shape[-1:], None, None, float(eps), False)
    return (y[..., : x.shape[-1]] * weight.to(h.dtype)).to(x.dtype)
