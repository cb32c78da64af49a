"""The result stays in float32.

Converting half-precision numbers to float32 for the squares is right. But the result must have the dtype of the input,
or the rest of the model runs in float32 from here on.
"""


def narrow(y, x):
    return y
