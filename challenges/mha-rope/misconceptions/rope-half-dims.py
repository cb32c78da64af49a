"""Only half of the features are rotated.

All d_k features take part: d_k / 2 pairs. Some models leave some features alone (partial rotary embedding), but this
exercise does not. Look for a slice or a table that is half as wide as it should be.
"""


def rotate_pairs(x, angles):
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    half = x.shape[-1] // 4
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    kept = torch.stack((even, odd), dim=-1)
    return torch.cat((turned[..., :half, :], kept[..., half:, :]), dim=-2).flatten(-2)
