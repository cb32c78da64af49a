"""A mask hides the earlier tokens.

This exercise has no mask in the multi-head function: every token attends to every token. Yours lets each token see only
itself and later tokens.
"""


def attend(Q, K, V):
    seq = Q.shape[-2]
    return scaled_dot_product_attention(Q, K, V, torch.ones(seq, seq, dtype=torch.bool).triu())
