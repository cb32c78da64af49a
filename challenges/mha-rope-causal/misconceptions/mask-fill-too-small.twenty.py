"""Hidden scores are low, but not low enough.

With -20 a later token is hidden only while the other scores lie far above that, and scores may be as low as that
themselves. Minus infinity is below every one of them.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -20.0)
