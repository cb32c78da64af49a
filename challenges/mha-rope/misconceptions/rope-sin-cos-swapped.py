"""Sine and cosine are swapped.

At position 0 nothing may rotate: cos 0 = 1 keeps each feature, and sin 0 = 0 mixes nothing in. With the two swapped,
everything is rotated by 90 degrees there.
"""


def rotate_pairs(x, angles):
    sin, cos = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)
