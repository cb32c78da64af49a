"""The first axis is treated as the sequence.

nn.MultiheadAttention does that unless you pass batch_first=True. Here the batch comes first: q is (N, L_q, d_model).
Your code makes the sequences of a batch attend to each other.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(0, 1).transpose(-3, -2)


def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2).transpose(0, 1)
