"""The squares are summed, not averaged.

If you divide by the root of their sum, every vector gets length 1, and its entries shrink as the vector gets wider.
With the mean, the entries stay near 1, whatever d_model is.
"""


def mean_square(x):
    return x.square().sum(dim=-1, keepdim=True)
