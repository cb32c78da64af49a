"""The heads are cut out of the sequence.

Reshaping (seq, d_model) straight to (heads, seq, d_head) cuts the sequence into pieces: one head gets some whole
tokens, another head gets others. Reshape to (seq, heads, d_head) first, then transpose the two.
"""


def split_heads(x, num_heads):
    return x.reshape(*x.shape[:-2], num_heads, x.shape[-2], x.shape[-1] // num_heads)
