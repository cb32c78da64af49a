"""A mask hides each token from itself.

This exercise has no mask in the multi-head function: every token attends to every token. Yours also hides the diagonal,
so the first token sees nothing, and its softmax is 0 / 0.
"""


def attend(Q, K, V):
    seq = Q.shape[-2]
    return scaled_dot_product_attention(Q, K, V, torch.ones(seq, seq, dtype=torch.bool).tril(-1))
