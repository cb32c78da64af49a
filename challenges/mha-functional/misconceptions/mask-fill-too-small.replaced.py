"""Hidden scores are low, but not low enough.

With {each} a hidden key stays hidden only as long as the other scores are far above that. Real scores can be that low
too; minus infinity is below all of them.
"""

EACH = {"minus 1": -1.0, "minus 5": -5.0, "minus 10": -10.0, "minus 20": -20.0, "minus 50": -50.0}


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), each)
