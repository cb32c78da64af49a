"""The mask hides the wrong half.

What is hidden is the token itself and all before it, and the future is left. The last token sees nothing at
all, and its softmax of nothing is NaN. Where the mask says "later", the score must go; elsewhere it stays.
"""


def hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)
