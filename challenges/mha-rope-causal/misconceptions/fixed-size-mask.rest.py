"""The mask is made for as many tokens as a head has features.

Every token beyond that is {each}. d_head is the number of features in a head and is unrelated to the number of tokens:
the mask is (seq, seq).
"""

EACH = {
    "a key that nobody sees": (1, False),
    "a query that sees everything": (0, True),
    "a key that everybody sees": (1, True),
}


def attend(Q, K, V):
    seq, width = Q.shape[-2:]
    axis, is_seen = each
    mask, beyond = up_to_itself(seq), torch.arange(seq) >= width
    mask[beyond if axis == 0 else (slice(None), beyond)] = is_seen
    return scaled_dot_product_attention(Q, K, V, mask)
