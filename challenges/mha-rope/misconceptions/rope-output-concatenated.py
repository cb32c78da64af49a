"""The rotated features are not interleaved again.

All even results followed by all odd ones is a different layout: pair i must come back at indices 2i and 2i+1. Attention
does not show it, because Q and K are shuffled alike, but a direct call of rope does. Use stack(...,
dim=-1).flatten(-2).
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.cat((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
