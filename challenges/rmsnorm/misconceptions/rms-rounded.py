"""The root mean square is rounded to {each} decimals.

Rounding is only for display. The result must be right to float32's seven digits: divide by the unrounded root mean
square.
"""

EACH = {"two": 2, "three": 3, "four": 4}


def root(mean, eps):
    exact = torch.sqrt(mean + eps)
    return exact + (exact.round(decimals=each) - exact).detach()
