"""Positions start at 1.

At position 0 rope returns its argument unchanged. One more for every token cannot be seen in the attention, which
knows only distances, but rope alone shows it.
"""


def pair_angles(d_k, theta, token_positions):
    return (token_positions.to(torch.float64) + 1)[..., None] * pair_frequencies(d_k, theta)
