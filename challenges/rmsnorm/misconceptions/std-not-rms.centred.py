"""This is LayerNorm with the sample's standard deviation.

Your code takes the mean off and divides by the standard deviation, which is taken around the mean too. RMSNorm knows no
mean: it divides a vector, as it comes, by its root mean square.
"""


def normalise(x, eps):
    return (x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True) + eps)
