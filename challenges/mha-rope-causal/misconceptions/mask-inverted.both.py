"""scaled_dot_product_attention hides where the mask is True.

Your causal mask is made to match, so the multi-head function is right. But in this exercise True means that a query may
attend, and anyone who calls scaled_dot_product_attention directly relies on that. Invert both.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(mask, -math.inf)


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).triu(1)
