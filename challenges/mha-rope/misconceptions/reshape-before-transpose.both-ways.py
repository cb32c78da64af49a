"""The heads are cut out of the sequence, and joined back the same way.

Tokens and heads are never swapped with a transpose, neither when you split nor when you merge. The two bare reshapes
undo each other's shape, but in between, a head attends to pieces of tokens.
"""


def split_heads(x, num_heads):
    return x.reshape(*x.shape[:-2], num_heads, x.shape[-2], x.shape[-1] // num_heads)


def merge_heads(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)
