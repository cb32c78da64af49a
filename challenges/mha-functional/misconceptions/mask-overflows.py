"""An 8-bit integer mask is multiplied by {each}.

Eight bits hold nothing beyond 127: the product wraps around to a small number, perhaps 0 or a positive one, and hides
nothing. Convert the mask to bool and fill the scores.
"""

EACH = {"minus 10**9": -1000000000, "minus 10,000": -10000, "minus 100,000": -100000}


def hide(scores, mask):
    return scores if mask is None else scores + (make_room_for_heads(mask) * each).to(scores.dtype)
