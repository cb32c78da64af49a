"""Features are interleaved across the heads.

Head h owns the features h*head_dim to (h+1)*head_dim: in the reshape, put the axis of the heads before the axis of
their features.
"""


def split_heads(x, num_heads):
    batch, seq, embed_dim = x.shape
    return x.reshape(batch, seq, embed_dim // num_heads, num_heads).transpose(2, 3).transpose(1, 2)
