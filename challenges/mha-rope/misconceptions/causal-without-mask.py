"""scaled_dot_product_attention is causal by itself.

Called without a mask it must attend to everything: it knows nothing about the order of tokens, and in this exercise the
first token sees the last one.
"""


def hide(scores, mask):
    if mask is None:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return scores.masked_fill(~mask, -math.inf)
