"""Hidden scores are lowered, but not far enough.

Lowered by {each}, a hidden key stays hidden only as long as no score is much larger than the others. Minus infinity is
below all of them.
"""

EACH = {"10": 10.0, "20": 20.0, "50": 50.0, "100": 100.0}


def hide(scores, mask):
    return scores if mask is None else scores - each * make_room_for_heads(read_mask(mask)).to(scores.dtype)
