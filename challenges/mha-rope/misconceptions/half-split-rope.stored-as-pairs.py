"""Pairs are read from the two halves and stored as neighbours.

Feature i is rotated together with feature i + d/2, and the two results are stored side by side. Read the pairs the way
you store them: pair i is (x[2i], x[2i+1]).
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1).flatten(-2)
