"""The batch axis of the mask lines up with the heads when there are as many heads as sequences.

A mask (N, L_q, L_k) has one mask for each sequence, however many heads there are. Its axis for the heads comes after
the batch: (N, 1, L_q, L_k).
"""


def hide(scores, mask):
    if mask is None:
        return scores
    is_alike = mask.dim() == 3 and mask.shape[0] == scores.shape[1]
    return scores.masked_fill(read_mask(mask) if is_alike else make_room_for_heads(read_mask(mask)), -math.inf)
