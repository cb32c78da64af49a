"""theta is always 10,000.

The base of the frequencies is an argument: hand it on to every block.
"""


def pair_angles(positions, d_head, theta):
    return positions[..., None] * 10_000.0 ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
