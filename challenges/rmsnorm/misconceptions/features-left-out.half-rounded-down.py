"""Only a part of the features enters the root mean square.

Your mean is taken over the first half alone. It may be near the right one for long vectors, and it is another number: every
feature counts.
"""


def mean_square(x):
    return x[..., : max(x.shape[-1] // 2, 1)].square().mean(dim=-1, keepdim=True)
