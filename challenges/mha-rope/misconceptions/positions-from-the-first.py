"""rope subtracts the first position from all of them.

Attention does not show it, because it depends only on distances, but a direct call of rope does. rope must rotate by
the positions it is given, wherever they start. (In the multi-head function the same subtraction does no harm.)
"""


def pair_angles(d_k, theta, token_positions):
    shifted = token_positions - token_positions[..., :1]
    return shifted.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
