"""Powers of {each} take the place of powers of e.

The exponential is that of the number e. With another base the shares lie closer together or farther apart.
"""

EACH = {"2": 2.0, "10": 10.0}


def exponentials(x):
    return each**x
