"""Only the order of the positions is used.

Sorting and renumbering the positions loses the gaps: 3, 4 and 90 are not three neighbours. Multiply the values
themselves by the frequencies.
"""


def pair_angles(d_k, theta, token_positions):
    ranks = token_positions.argsort(-1).argsort(-1)
    return ranks.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
