"""The heads are cut out of the sequence, and glued back the same way.

Neither on the way in nor on the way out are tokens and heads exchanged by a transpose; the two bare reshapes undo
each other in shape, but in between a head attends to pieces of tokens.
"""


def split_heads(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def merge_heads(x):
    return x.reshape(x.shape[0], x.shape[2], -1)
