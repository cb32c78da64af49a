"""The mean of the absolute values stands in for the root mean square.

Taking the root of each square before the mean gives the average size of the numbers. Large ones count less than they
should then. First square, then average, then take the root.
"""


def normalise(x, eps):
    return x / torch.sqrt(x.square() + eps).mean(dim=-1, keepdim=True)
