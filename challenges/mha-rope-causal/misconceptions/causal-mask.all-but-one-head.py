"""The {each} sees later tokens.

All heads share the causal mask. Your code leaves one of them out: a mask of shape (seq, seq) broadcasts over all heads.
"""

EACH = {"first head": 0, "last head": -1}


def attend(Q, K, V):
    mask = up_to_itself(Q.shape[-2]).repeat(Q.shape[-3], 1, 1)
    mask[each] = True
    return scaled_dot_product_attention(Q, K, V, mask)
