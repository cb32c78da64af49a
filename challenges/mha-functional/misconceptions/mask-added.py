"""The mask is added to the scores as it is.

Adding 1 to the score of a hidden key makes it more important, not less. What you add there must be minus infinity, or a
number close enough to it.
"""


def hide(scores, mask):
    return scores if mask is None else scores + make_room_for_heads(read_mask(mask)).to(scores.dtype)
