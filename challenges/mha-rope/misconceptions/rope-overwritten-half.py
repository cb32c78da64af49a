"""The second feature of a pair is computed from the first one's new value.

Both lines of the rotation need the old values. Your code overwrites the first feature and then uses it for the second:
keep the old one until both are computed.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = even * cos - odd * sin
    return torch.stack((turned, turned * sin + odd * cos), dim=-1).flatten(-2)
