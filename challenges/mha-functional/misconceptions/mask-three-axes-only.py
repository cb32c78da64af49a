"""A mask with two axes is misread.

unsqueeze(1) puts the axis for the heads in the right place only for (N, L_q, L_k). A mask (L_q, L_k) gets it between
its two axes, so everything lines up wrongly. Check how many axes the mask has.
"""


def make_room_for_heads(mask):
    return mask.unsqueeze(1)
