"""A float mask is added to the scores.

nn.MultiheadAttention does that with a float mask, which then holds zeros and minus infinities. In this exercise a mask
of 0 and 1 means the same in every dtype: 1 hides the key.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    shared = make_room_for_heads(mask)
    return scores + shared if mask.is_floating_point() else scores.masked_fill(shared != 0, -math.inf)
