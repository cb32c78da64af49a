"""An integer theta gives an integer tensor.

torch.full and torch.tensor give an int64 tensor for an int, and fractional or negative powers do not fit in that. Write
float(theta), or name the dtype.
"""


def pair_frequencies(d_k, theta):
    dtype = torch.int64 if isinstance(theta, int) else torch.float64
    return torch.full((d_k // 2,), theta, dtype=dtype).pow_(-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
