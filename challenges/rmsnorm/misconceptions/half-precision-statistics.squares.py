"""The squares are computed in half precision.

float16 only goes up to 65,504, so the square of 256 is infinite, and the square of 0.0001 is zero. Averaging in float32
comes too late: convert x to float32 before you square it.
"""


def rmsnorm(x, weight, eps=1e-5):
    mean = widen(x.square()).mean(dim=-1, keepdim=True)
    return narrow(apply_weight(widen(x) / root(mean, eps), weight), x)
