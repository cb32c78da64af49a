"""The batch axis of the mask lines up with the heads.

A mask (N, L_q, L_k) meets scores (N, heads, L_q, L_k): broadcasting counts axes from the end, so the batch axis of the
mask lines up with the heads. Add an axis for the heads first: (N, 1, L_q, L_k).
"""


def make_room_for_heads(mask):
    return mask
