"""The tables are laid out for halves, the rotation for neighbours.

cat((angles, angles)) belongs to the variant that pairs i with i + d/2. Where neighbours (2i, 2i+1) form a pair, both
need the same angle: repeat each angle, not the whole row.
"""


def rotate_pairs(x, angles):
    whole = torch.cat((angles, angles), dim=-1)
    cos, sin = torch.cos(whole).to(x.dtype), torch.sin(whole).to(x.dtype)
    crossed = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * cos + crossed * sin
