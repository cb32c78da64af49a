"""The axes are counted from the front.

transpose(1, 2) means sequence and heads only when there is exactly one batch axis. Counted from the end, transpose(-3,
-2), the same line works for any number of batch axes.
"""


def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    return x.reshape(batch, seq, num_heads, d_model // num_heads).transpose(1, 2)
