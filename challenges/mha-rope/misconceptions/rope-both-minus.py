"""Both lines of the rotation have a minus.

A rotation has one minus, in one of its lines. With two, the pair is mirrored as well as turned: a reflection. Write the
2x2 matrix down and compare.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin - odd * cos), dim=-1).flatten(-2)
