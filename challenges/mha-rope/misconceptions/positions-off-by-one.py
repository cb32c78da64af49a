"""Positions start at 1.

At position 0 rope returns its argument unchanged. Adding one to every position does not show in the attention, which
depends only on distances, but a direct call of rope shows it.
"""


def pair_angles(d_k, theta, token_positions):
    return (token_positions.to(torch.float64) + 1)[..., None] * pair_frequencies(d_k, theta)
