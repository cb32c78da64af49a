"""Sines and cosines are added.

Adding them to the input is the position encoding of the original Transformer. RoPE multiplies instead: it rotates the
pairs of Q and K, and keeps their lengths.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even + sin, odd + cos), dim=-1).flatten(-2)
