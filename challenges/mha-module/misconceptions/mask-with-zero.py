"""Hidden scores are set to zero.

A score of zero (or 1e-9, or a score multiplied by the mask) is an ordinary score: exp(0) is 1, so the later token still
gets weight. Only minus infinity becomes a weight of zero.
"""


def hide(scores, mask):
    return scores.masked_fill(mask, 0.0)
