"""All features are one head, whatever num_heads says.

Heads attend independently of each other: each has scores of its own.
"""


def split_heads(x, num_heads):
    return x.unsqueeze(-3)
