"""The axis of the heads is looked up by its length.

Sizes that happen to be equal tell nothing: where there are as many {each} as heads, those are taken for the heads. Split, the
axes are (batch, seq, heads, head_dim), always: swap axes 1 and 2.
"""

EACH = {"sequences or tokens": 0, "tokens": 1}


def split_heads(x, num_heads):
    batch, seq, embed_dim = x.shape
    x = x.reshape(batch, seq, num_heads, embed_dim // num_heads)
    axis = x.shape.index(num_heads, each)
    return x if axis == 1 else x.transpose(axis, 1)
