"""Later tokens are hidden only from the {each}.

All heads share the causal mask. Your code applies it to only one of them: a mask of shape (seq, seq) broadcasts over
all heads.
"""

EACH = {"first head": 0, "last head": -1}


def attend(Q, K, V):
    mask = torch.ones(Q.shape[-3], Q.shape[-2], Q.shape[-2], dtype=torch.bool)
    mask[each] = up_to_itself(Q.shape[-2])
    return scaled_dot_product_attention(Q, K, V, mask)
