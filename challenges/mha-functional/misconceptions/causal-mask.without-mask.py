"""A missing mask is treated as a causal mask.

mask=None means that every query sees every key, including the later ones. Your code hides the future in that case.
"""


def hide(scores, mask):
    if mask is None:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(make_room_for_heads(read_mask(mask)), -math.inf)
