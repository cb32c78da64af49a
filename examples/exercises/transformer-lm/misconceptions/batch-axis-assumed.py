"""It works for exactly one batch axis.

Axes are counted from the front. Count them from the end, and there may be any number before.
"""


def split_heads(x, num_heads):
    batch, seq, width = x.shape
    return x.view(batch, seq, num_heads, width // num_heads).transpose(1, 2)
