"""Hidden scores become zero.

Zero is a score like any other: exp(0) is 1, so the hidden key still gets its share. Multiplying the scores by a mask
does that, and so does filling them with 0 or 1e-9. Only minus infinity becomes a weight of zero.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), 0.0)
