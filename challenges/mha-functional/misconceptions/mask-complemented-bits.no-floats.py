"""Only a boolean mask can be inverted.

~ swaps True and False, but it turns 0 into -1 and 1 into -2, and it rejects floats. Masks of 0 and 1 are just as often
written as integers or floats: compare with 0 or 1, or convert the mask to bool first.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    seen = make_room_for_heads(~mask)
    return scores.masked_fill(seen == 0, -math.inf)
