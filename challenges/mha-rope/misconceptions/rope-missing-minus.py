"""The rotation is missing its minus sign.

A rotation has one minus sign: x0 cos a - x1 sin a, and x0 sin a + x1 cos a. Without it, lengths change with the
position.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos + odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)
