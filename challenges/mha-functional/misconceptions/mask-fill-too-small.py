"""Hidden scores are low, but not low enough.

With -100 a hidden key stays hidden only as long as the other scores are far above that. Real scores can be that low
too; minus infinity is below all of them.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), -100.0)
