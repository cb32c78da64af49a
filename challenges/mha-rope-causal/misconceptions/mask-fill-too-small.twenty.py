"""Hidden scores are low, but not low enough.

With -20 a later token stays hidden only as long as the other scores are far above that, and real scores can be that low
too. Minus infinity is below all of them.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -20.0)
