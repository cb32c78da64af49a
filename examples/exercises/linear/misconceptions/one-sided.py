"""The first values are {each}.

A normal distribution with mean 0 has as many numbers below zero as above.
"""

EACH = {"all positive": 1.0, "all negative": -1.0}


def draw(weight, std):
    values = nn.init.trunc_normal_(weight, 0.0, std, -3 * std, 3 * std)
    return each * values.abs()
