"""Hidden scores are low, but not low enough.

With -20 a hidden key is hidden only while the other scores lie far above that. Scores may be as low as that
themselves; minus infinity is below every one of them.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), -20.0)
