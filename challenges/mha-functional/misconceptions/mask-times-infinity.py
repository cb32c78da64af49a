"""The mask is multiplied by minus infinity.

0 times infinity is not zero but NaN, so every visible key gets a score of NaN. Fill the hidden scores instead of
multiplying all of them.
"""


def hide(scores, mask):
    return scores if mask is None else scores + make_room_for_heads(read_mask(mask)) * -math.inf
