"""Features are paired across the two halves, and rotated the other way.

You rotate feature i together with feature i + d/2, by -a instead of a, as some small models do. This exercise pairs
neighbours, (2i, 2i+1), and takes (x0, x1) to (x0 cos a - x1 sin a, x0 sin a + x1 cos a). With fixed weights these are
different functions.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos + second * sin, second * cos - first * sin), dim=-1)
