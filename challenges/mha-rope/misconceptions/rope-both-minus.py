"""Both lines of the rotation have a minus sign.

A rotation has one minus sign, in one of its lines. With two, the pair is mirrored as well: that is a reflection. Write
down the 2x2 matrix and compare.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin - odd * cos), dim=-1).flatten(-2)
