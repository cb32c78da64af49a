"""Only the first {each} features are rotated.

All d_k features take part, however many there are: d_k / 2 pairs. Some models leave some features alone (partial rotary
embedding), but this exercise does not. Look for a slice, or a table with a hard-coded width.
"""

EACH = {"2": 2, "4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def rotate_pairs(x, angles):
    angles = torch.where(torch.arange(angles.shape[-1]) < each // 2, angles, 0.0)
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)
