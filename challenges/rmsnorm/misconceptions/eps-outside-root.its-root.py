"""eps is added after the root instead of under it.

The root of a sum is not the sum of the roots: adding the root of eps to the root of the mean makes every vector too
small. Add eps to the mean of the squares.
"""


def root(mean, eps):
    return torch.sqrt(mean) + eps**0.5
