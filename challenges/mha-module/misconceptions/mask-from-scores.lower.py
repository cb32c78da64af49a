"""The mask is computed from the scores.

Every zero in the lower triangle of the scores is hidden. A token of zeros, such as padding, has scores of exactly zero
without being later: other tokens do not see it, and it sees nothing at all. Build the mask from ones: it depends only
on the order of the tokens.
"""


def hide(scores, mask):
    return scores.masked_fill(scores.tril() == 0, -math.inf)
