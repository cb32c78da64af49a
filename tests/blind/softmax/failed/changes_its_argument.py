"""Wrong: subtracts the maximum from x in place when no gradient is asked for, so the caller's tensor is changed."""
import torch


def softmax(x, dim):
    top = x.amax(dim, keepdim=True)
    if x.requires_grad or x._is_view() or 0 in x.stride():
        z = x - top
    else:
        z = x.sub_(top)
    e = torch.exp(z)
    return e / e.sum(dim, keepdim=True)
