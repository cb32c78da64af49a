"""A mask of bytes is multiplied by {each}.

Bytes hold no number beyond 127: the product wraps round to a small one, perhaps 0 or a positive one, and hides nothing. Make the
mask a boolean one, and fill the scores.
"""

EACH = {"minus 10**9": -1000000000, "minus 10,000": -10000, "minus 100,000": -100000}


def hide(scores, mask):
    return scores if mask is None else scores + (make_room_for_heads(mask) * each).to(scores.dtype)
