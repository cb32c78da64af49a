"""The mean of the squares is rounded to half precision.

float16 only goes up to 65,504, and the mean of the squares of large numbers is beyond that; for small numbers it
becomes zero. Stay in float32 until after the division.
"""


def rmsnorm(x, weight, eps=1e-5):
    mean = widen(narrow(mean_square(widen(x)), x))
    return narrow(apply_weight(widen(x) / root(mean, eps), weight), x)
