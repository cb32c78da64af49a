"""The first values are truncated at {each}, not at three standard deviations.

The limits of trunc_normal_ are numbers, not multiples of the standard deviation. With a deviation of 0.05 the limit
{each} is never met.
"""

EACH = {"2": 2.0, "3": 3.0}


def draw(weight, std):
    return nn.init.trunc_normal_(weight, 0.0, std, -each, each)
