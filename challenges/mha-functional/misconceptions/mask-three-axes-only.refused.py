"""A mask of two axes is refused.

A mask (L_q, L_k) is one for all sequences. Do not ask for three axes, nor unpack them: unsqueeze(-3), and let it broadcast.
"""

EACH = {"asked for": "the mask is no good", "unpacked": "not enough values to unpack (expected 3, got 2)"}


def make_room_for_heads(mask):
    if mask.dim() != 3:
        raise ValueError(each)
    return mask.unsqueeze(-3)
