"""The first values are {each}.

A normal distribution with mean 0 has as many numbers below zero as above.
"""

EACH = {"all positive": 1.0, "all negative": -1.0}


def draw(weight):
    return each * nn.init.trunc_normal_(weight, 0.0, 1.0, -3.0, 3.0).abs()
