"""Later tokens are hidden from the {each} alone.

All heads share the causal mask. Yours is written into one of them only: a mask (seq, seq) is broadcast over all heads.
"""

EACH = {"first head": 0, "last head": -1}


def attend(Q, K, V):
    mask = torch.ones(Q.shape[-3], Q.shape[-2], Q.shape[-2], dtype=torch.bool)
    mask[each] = up_to_itself(Q.shape[-2])
    return scaled_dot_product_attention(Q, K, V, mask)
