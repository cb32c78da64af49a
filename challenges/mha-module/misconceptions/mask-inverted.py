"""The mask hides the wrong half.

Your code hides each token and everything before it, and leaves the future visible. The last token sees nothing at all,
so its softmax is NaN. Hide the scores where the mask says "later", and keep the others.
"""


def hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)
