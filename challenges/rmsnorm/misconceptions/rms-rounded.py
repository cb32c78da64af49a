"""The root mean square is rounded to {each} decimals.

Round only for display. The result must be right to the seven digits of float32: divide by the root mean square as it
is.
"""

EACH = {"two": 2, "three": 3, "four": 4}


def root(mean, eps):
    exact = torch.sqrt(mean + eps)
    return exact + (exact.round(decimals=each) - exact).detach()
