"""The heads are split by a reshape alone.

A reshape to (batch, heads, seq, head_dim) keeps all numbers in the same order, so each head gets whole tokens from one
part of the sequence. First reshape to (batch, seq, heads, head_dim), then swap axes 1 and 2.
"""


def split_heads(x, num_heads):
    batch, seq, embed_dim = x.shape
    return x.reshape(batch, num_heads, seq, embed_dim // num_heads)
