"""The merge interleaves the features of different heads.

Head h owns the features h*head_dim to (h+1)*head_dim, when they are split and when they are merged: swap axes 1 and 2,
so that (heads, head_dim) come last in this order, then reshape.
"""


def merge_heads(x):
    batch, heads, seq, head_dim = x.shape
    return x.transpose(1, 2).transpose(2, 3).reshape(batch, seq, heads * head_dim)
