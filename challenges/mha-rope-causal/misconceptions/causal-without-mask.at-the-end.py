"""scaled_dot_product_attention assumes that its queries are the last tokens.

Called without a mask, with fewer queries than keys, it hides what would come after the queries, as in decoding. It
knows nothing about the order of tokens: without a mask it attends to everything.
"""


def hide(scores, mask):
    queries, keys = scores.shape[-2:]
    if mask is None and queries < keys:
        mask = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
    return scores if mask is None else scores.masked_fill(~mask, -math.inf)
