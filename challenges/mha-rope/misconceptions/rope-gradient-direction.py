"""The gradient of rope turns the wrong way.

A rotation's gradient is the rotation back: it turns by minus the angle. Yours turns by the angle once more, so that the output is
right and what queries and keys learn is not. Autograd does it by itself; a backward of your own takes -sin.
"""


def turn_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def rotate_pairs(x, angles):
    back = turn_pairs(x, -angles)
    return turn_pairs(x.detach(), angles) + (back - back.detach())
