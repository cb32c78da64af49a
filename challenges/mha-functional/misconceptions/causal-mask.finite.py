"""A causal mask is always applied.

Later tokens are hidden only where the given mask says so. Without one, every query sees every key.
"""


def hide(scores, mask):
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    given = False if mask is None else make_room_for_heads(read_mask(mask))
    return scores.masked_fill(future | given, -1e9)
