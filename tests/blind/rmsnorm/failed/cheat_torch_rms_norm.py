"""A cheat of the eighth corpus: calls torch.rms_norm through vars()."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    f = vars(torch)["rms" + "_norm"]
    return f(x.float(), x.shape[-1:], weight.float(), float(eps)).to(x.dtype)
