"""The heads are not moved back where there are as many as tokens.

After attention the axes are (batch, heads, seq, head_dim), whatever the sizes. Swap axes 1 and 2 always: which axis is
which cannot be told from their lengths.
"""


def merge_heads(x):
    batch, heads, seq, head_dim = x.shape
    x = x if heads == seq else x.transpose(1, 2)
    return x.reshape(batch, seq, heads * head_dim)
