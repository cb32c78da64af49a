"""A mask with two axes is rejected.

A mask (L_q, L_k) applies to all sequences. Do not require or unpack three axes: use unsqueeze(-3) and let it broadcast.
"""

EACH = {"asked for": "the mask is no good", "unpacked": "not enough values to unpack (expected 3, got 2)"}


def make_room_for_heads(mask):
    if mask.dim() != 3:
        raise ValueError(each)
    return mask.unsqueeze(-3)
