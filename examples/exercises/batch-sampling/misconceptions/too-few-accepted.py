"""Too few tokens are not refused with ValueError.

With no token after the window there is nothing to draw from. What a library raises then is another exception, or none: check the length yourself.
"""


def checked(count):
    if count < 1:
        raise RuntimeError("random_ expects 'from' to be less than 'to'")
