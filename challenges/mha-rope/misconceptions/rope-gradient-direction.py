"""The gradient of rope is rotated the wrong way.

The backward pass of a rotation is the inverse rotation, by minus the angle. Yours rotates by the angle again, so the
output is right but what queries and keys learn is not. Autograd handles this by itself; if you write your own backward,
use -sin.
"""


def turn_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def rotate_pairs(x, angles):
    back = turn_pairs(x, -angles)
    return turn_pairs(x.detach(), angles) + (back - back.detach())
