"""The heads are cut out of the sequence.

Reshaping (L, d_model) straight to (heads, L, d_head) cuts the sequence into pieces: one head gets some whole tokens,
another head gets others. Reshape to (L, heads, d_head) first, then transpose the two.
"""


def split_heads(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)
