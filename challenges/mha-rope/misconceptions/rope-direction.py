"""The rotation goes the other way.

A rotation by the angle a takes (x0, x1) to (x0 cos a - x1 sin a, x0 sin a + x1 cos a). Your signs, or the order within
the pair, rotate by -a. Rotating both sides backwards is not the same as rotating both forwards: the sine terms change
sign.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos + odd * sin, odd * cos - even * sin), dim=-1).flatten(-2)
