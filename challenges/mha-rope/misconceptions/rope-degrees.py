"""The angles are converted as if they were degrees.

position * theta**(-2i/d) is in radians already, which is what cos and sin take. Leave out the conversion.
"""


def rotate_pairs(x, angles):
    angles = torch.deg2rad(angles)
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)
