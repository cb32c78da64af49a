"""The heads are not moved back before merging.

After attention the axes are (batch, heads, tokens, head_dim). Flattening them in this order puts features of different
tokens together. Move the tokens in front of the heads again, then merge the last two axes.
"""


def merge_heads(x):
    return x.reshape(x.shape[0], x.shape[2], -1)
