"""The merge interleaves the features of different heads.

Head h owns the features h*head_dim to (h+1)*head_dim, when they are split and when they are merged. Put the axes in the
order (batch, tokens, heads, head_dim), then merge the last two.
"""


def merge_heads(x):
    return x.movedim(1, -1).flatten(-2)
