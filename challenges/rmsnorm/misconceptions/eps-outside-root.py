"""eps is added after the root instead of under it.

Under the root, eps = 1e-5 keeps the divisor above 0.003; after the root, only above 0.00001, so small vectors come out
much larger. Add it to the mean of the squares.
"""


def root(mean, eps):
    return torch.sqrt(mean) + eps
