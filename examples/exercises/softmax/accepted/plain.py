"""As most would write it. The baseline of efficiency."""

import torch


def softmax(x, dim):
    shifted = x - torch.max(x, dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / torch.sum(e, dim=dim, keepdim=True)
