"""Hidden scores are low, but not low enough.

With {each} a hidden key is hidden only while the other scores lie far above that. Scores may be as low as that themselves;
minus infinity is below every one of them.
"""

EACH = {"minus 1": -1.0, "minus 5": -5.0, "minus 10": -10.0, "minus 20": -20.0, "minus 50": -50.0}


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), each)
