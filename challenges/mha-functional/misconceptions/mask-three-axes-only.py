"""A mask of two axes is not understood.

unsqueeze(1) puts the axis of the heads into the right place of (N, L_q, L_k) only. A mask (L_q, L_k) gets it in
between, where it meets the wrong axes. Look at how many axes the mask has.
"""


def make_room_for_heads(mask):
    return mask.unsqueeze(1)
