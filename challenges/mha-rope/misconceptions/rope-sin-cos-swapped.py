"""Sine and cosine are exchanged.

At position 0 nothing may turn: cos 0 = 1 keeps each feature, sin 0 = 0 mixes nothing in. With the two exchanged,
everything is turned by a quarter circle there.
"""


def rotate_pairs(x, angles):
    sin, cos = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)
