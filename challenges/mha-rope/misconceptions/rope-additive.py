"""Sines and cosines are added.

Adding them is the encoding of the first Transformer, for the input. RoPE multiplies: it turns the pairs of Q and K, and
keeps their lengths.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even + sin, odd + cos), dim=-1).flatten(-2)
