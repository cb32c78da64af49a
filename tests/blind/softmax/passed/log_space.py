"""A right softmax through logarithms: the shares are exp of the shifted numbers minus the log of their sum."""
import einops
import torch


def softmax(tensor, axis):
    axis = axis % tensor.ndim
    front = tensor.shape[:axis]
    back = tensor.shape[axis + 1 :]
    x = tensor.reshape(*front, tensor.shape[axis], -1)
    x = einops.rearrange(x, "... n b -> ... b n")
    x = x.double() if x.dtype != torch.float32 else x
    x = x - x.amax(-1, keepdim=True)
    log_total = x.exp().sum(-1, keepdim=True).log()
    y = einops.rearrange((x - log_total).exp(), "... b n -> ... n b")
    return y.reshape(*front, tensor.shape[axis], *back).to(tensor.dtype)
