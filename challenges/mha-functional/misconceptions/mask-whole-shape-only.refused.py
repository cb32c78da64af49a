"""Only a mask of the full shape is accepted.

A mask may be smaller and broadcast to (N, L_q, L_k): one for all sequences, or one row for all queries. Do not check
its shape; unsqueeze it and let it broadcast.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    if mask.shape != (len(scores), *scores.shape[-2:]):
        raise ValueError("the mask does not fit")
    return scores.masked_fill(make_room_for_heads(read_mask(mask)), -math.inf)
