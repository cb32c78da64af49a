"""The tables are laid out for neighbours, the rotation for halves.

Each angle is repeated for two neighbours, (a, a, b, b), but the features you rotate together are half a vector apart.
Pairs are neighbours here: swap x[2i] and x[2i+1], not the halves.
"""


def rotate_pairs(x, angles):
    whole = angles.repeat_interleave(2, dim=-1)
    cos, sin = torch.cos(whole).to(x.dtype), torch.sin(whole).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin
