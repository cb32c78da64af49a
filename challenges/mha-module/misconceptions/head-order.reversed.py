"""The heads are merged in reversed order.

Head 0 comes first again when the heads are put side by side, as it did when they were cut.
"""


def merge_heads(x):
    return x.flip(1).transpose(1, 2).flatten(-2)
