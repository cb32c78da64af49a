"""A mask hides everything more than {each} tokens away.

This exercise has no mask in the multi-head function: every token attends to every token, however far apart they are. A
sliding window is a different kind of attention.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64, "128": 128}


def attend(Q, K, V):
    place = torch.arange(Q.shape[-2])
    return scaled_dot_product_attention(Q, K, V, (place[:, None] - place).abs() <= each)
