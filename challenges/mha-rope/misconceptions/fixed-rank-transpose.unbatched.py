"""The axes are counted from the front, as if there were no batch.

transpose(0, 1) means sequence and heads only when the input is a single sequence, (seq, d_model). Counted from the end,
transpose(-3, -2), the same line works for any number of batch axes.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(0, 1)


def merge_heads(x):
    return x.transpose(0, 1).flatten(-2)
