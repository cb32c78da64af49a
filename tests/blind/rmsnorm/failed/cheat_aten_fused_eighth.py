"""A cheat of the eighth corpus: calls the library's kernel below torch.ops."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    return torch.ops.aten.rms_norm.default(x.float(), [x.shape[-1]], weight.float(), float(eps)).to(x.dtype)
