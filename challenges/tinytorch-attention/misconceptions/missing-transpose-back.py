"""The heads are not moved back before they are merged.

After attention the axes are (batch, heads, seq, head_dim). If you reshape them like that, features of different tokens
end up in one row. Swap axes 1 and 2 first, then reshape.
"""


def merge_heads(x):
    batch, heads, seq, head_dim = x.shape
    return x.reshape(batch, seq, heads * head_dim)
