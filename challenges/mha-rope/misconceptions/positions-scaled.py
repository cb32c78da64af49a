"""Positions are multiplied by a constant.

The angle of a pair is its position times its frequency, with nothing else in between. A factor of two (2i counted for
the positions, say) makes all distances twice as long.
"""


def pair_angles(d_k, theta, token_positions):
    return 2 * token_positions.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
