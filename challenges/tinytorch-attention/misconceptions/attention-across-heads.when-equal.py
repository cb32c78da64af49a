"""The axis of the heads is identified by its size.

Sizes that happen to be equal prove nothing: when there are as many {each} as heads, those are treated as the heads.
After the split, the axes are always (batch, seq, heads, head_dim): swap axes 1 and 2.
"""

EACH = {"sequences or tokens": 0, "tokens": 1}


def split_heads(x, num_heads):
    batch, seq, embed_dim = x.shape
    x = x.reshape(batch, seq, num_heads, embed_dim // num_heads)
    axis = x.shape.index(num_heads, each)
    return x if axis == 1 else x.transpose(axis, 1)
