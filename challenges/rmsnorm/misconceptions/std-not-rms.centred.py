"""This is LayerNorm with the sample standard deviation.

Your code subtracts the mean and divides by the standard deviation, which is also computed around the mean. RMSNorm
subtracts no mean: it divides the vector as it is by its root mean square.
"""


def normalise(x, eps):
    return (x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True) + eps)
