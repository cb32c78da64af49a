"""Only a boolean mask is turned round.

~ exchanges True and False, but makes -1 of 0 and -2 of 1, and refuses floats. Masks of 0 and 1 are written as integers
or floats just as often: compare with 0 or 1, or turn the mask into a boolean one first.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    seen = make_room_for_heads(~mask)
    return scores.masked_fill(seen == 0, -math.inf)
