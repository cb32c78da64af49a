"""Positions are multiplied by a constant.

The angle of a pair is the position times its frequency, with no other factor. A factor of two (using 2i for the
positions, say) doubles all distances.
"""


def pair_angles(d_k, theta, token_positions):
    return 2 * token_positions.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
