"""Only the order of the positions is used.

Positions are renumbered from the smallest, as the inverse of torch.unique does. That loses the gaps: 3, 4 and 90 are
not three neighbours. Multiply the values themselves by the frequencies.
"""


def pair_angles(d_k, theta, token_positions):
    ranks = torch.unique(token_positions, return_inverse=True)[1]
    return ranks.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
