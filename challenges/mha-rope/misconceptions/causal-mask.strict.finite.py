"""A mask hides each token from itself.

This exercise has no mask in the multi-head function: every token attends to every token. Yours also hides the diagonal,
so the first token, with nothing left to see, spreads its attention over everything.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -1e9)


def attend(Q, K, V):
    seq = Q.shape[-2]
    return scaled_dot_product_attention(Q, K, V, torch.ones(seq, seq, dtype=torch.bool).tril(-1))
