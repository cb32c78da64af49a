"""The mask is transposed where it is square.

Its rows belong to the queries and its columns to the keys, like those of the scores. Transposed, a causal mask hides
the past and shows the future. Your code is right where the lengths differ.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    turned = mask.mT if mask.shape[-1] == mask.shape[-2] else mask
    return scores.masked_fill(make_room_for_heads(read_mask(turned)), -1e9)
