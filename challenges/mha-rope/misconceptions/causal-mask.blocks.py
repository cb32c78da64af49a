"""A mask hides the tokens outside a token's block of {each}.

This exercise has no mask in the multi-head function: every token attends to every token, whatever block it is in.
Working in blocks may save memory, but the results of all blocks must be combined.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def attend(Q, K, V):
    block = torch.arange(Q.shape[-2]) // each
    return scaled_dot_product_attention(Q, K, V, block[:, None] == block)
