"""There are head_dim heads of num_heads features.

The two sizes are swapped in the reshape. There are num_heads heads with head_dim features each.
"""


def split_heads(x, num_heads):
    batch, seq, embed_dim = x.shape
    return x.reshape(batch, seq, embed_dim // num_heads, num_heads).transpose(1, 2)
