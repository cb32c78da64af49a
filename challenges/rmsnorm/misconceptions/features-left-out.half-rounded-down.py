"""Only some of the features go into the root mean square.

Your mean only covers the first half. It may be close for wide vectors, but it is a different number: every feature
counts.
"""


def mean_square(x):
    return x[..., : max(x.shape[-1] // 2, 1)].square().mean(dim=-1, keepdim=True)
