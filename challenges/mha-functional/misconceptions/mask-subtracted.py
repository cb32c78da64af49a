"""The mask is subtracted from the scores as it is.

A key whose score is lowered by 1 still gets about a third of its weight. A hidden key must get none: set its score to
minus infinity.
"""


def hide(scores, mask):
    return scores if mask is None else scores - make_room_for_heads(read_mask(mask)).to(scores.dtype)
