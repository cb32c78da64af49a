"""A softmax over the middle axis of three: what comes before it, what it runs over, what comes after it."""

import math

import torch


def position(dim, axes):
    """Counted from the front."""
    if dim < 0:
        dim = dim + axes
    return dim


def in_three(x, place):
    """As (before, along, after)."""
    lengths = list(x.shape)
    before = math.prod(lengths[:place])
    after = math.prod(lengths[place + 1 :])
    return x.reshape(before, lengths[place], after)


def heights(blocks):
    """How high each column reaches: (before, 1, after)."""
    top = torch.amax(blocks, dim=1)
    return top[:, None, :]


def weights(blocks):
    """Positive, and at most 1."""
    below = blocks - heights(blocks)
    return torch.exp(below)


def in_parts(positive):
    """Each column as parts of its whole."""
    whole = positive.sum(dim=1)
    return positive / whole[:, None, :]


def softmax(x, dim):
    place = position(dim, x.dim())
    blocks = in_three(x, place)
    if x.dtype in (torch.float16, torch.bfloat16):
        blocks = blocks.to(torch.float32)
    parts = in_parts(weights(blocks))
    result = parts.reshape(x.shape)
    return result.to(x.dtype)
