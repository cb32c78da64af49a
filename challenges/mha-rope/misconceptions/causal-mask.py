"""A causal mask hides the later tokens.

This exercise asks for full attention: the first token sees the last one. (The CS336 version is causal; that is the
exercise mha-rope-causal.) Leave the mask out of the multi-head function.
"""


def attend(Q, K, V):
    seq = Q.shape[-2]
    return scaled_dot_product_attention(Q, K, V, torch.ones(seq, seq, dtype=torch.bool).tril())
