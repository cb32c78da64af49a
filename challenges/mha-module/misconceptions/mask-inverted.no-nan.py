"""The mask hides the wrong half.

What is hidden is the token itself and all before it, and the future is left; the last token sees nothing at all, and
its NaN is made zero. Where the mask says "later", the score must go; elsewhere it stays.
"""


def hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)


def softmax(scores):
    return torch.softmax(scores, dim=-1).nan_to_num(0.0)
