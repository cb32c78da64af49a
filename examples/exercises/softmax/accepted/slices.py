"""Slice by slice along the axis, as the formula says: no reduction of the library."""

from functools import reduce

import torch


def softmax(x, dim):
    slices = x.unbind(dim)
    top = reduce(torch.maximum, slices)
    e = [torch.exp(one.float() - top.float()) for one in slices]
    total = sum(e)
    return torch.stack([(one / total).to(x.dtype) for one in e], dim=dim)
