"""eps is added after the root instead of under it.

Under the root, eps = 1e-5 stops a vector of zeros from being divided by anything smaller than 0.003; after the root, by
anything smaller than 0.00001, and small vectors come out much larger. Add it to the mean of the squares.
"""


def root(mean, eps):
    return torch.sqrt(mean) + eps
