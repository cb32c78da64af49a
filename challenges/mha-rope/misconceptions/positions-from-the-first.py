"""rope takes the first position off all of them.

Attention cannot see it, because it knows only distances; whoever calls rope can. It turns by the positions it is given,
wherever they start. (In the multi-head function the same subtraction does no harm.)
"""


def pair_angles(d_k, theta, token_positions):
    shifted = token_positions - token_positions[..., :1]
    return shifted.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
