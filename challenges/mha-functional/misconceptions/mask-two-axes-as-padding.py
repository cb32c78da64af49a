"""A mask with two axes is treated as a padding mask when there are as many sequences as queries.

Two axes always mean (L_q, L_k): one mask for all sequences. A padding mask has shape (N, 1, L_k). Sizes that happen to
be equal prove nothing.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    is_padding = mask.dim() == 2 and mask.shape[0] == scores.shape[0]
    hidden = read_mask(mask)[:, None, None] if is_padding else make_room_for_heads(read_mask(mask))
    return scores.masked_fill(hidden, -math.inf)
