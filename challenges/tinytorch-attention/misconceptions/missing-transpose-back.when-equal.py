"""The heads are not moved back when there are as many heads as tokens.

After attention the axes are (batch, heads, seq, head_dim), whatever the sizes. Always swap axes 1 and 2: you cannot
tell which axis is which from their sizes.
"""


def merge_heads(x):
    batch, heads, seq, head_dim = x.shape
    x = x if heads == seq else x.transpose(1, 2)
    return x.reshape(batch, seq, heads * head_dim)
