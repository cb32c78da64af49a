"""The first values are not truncated.

One of 400 normal numbers lies beyond 3. Such a number is drawn again.
"""


def draw(weight):
    return nn.init.normal_(weight, 0.0, 1.0)
