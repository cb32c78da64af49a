"""The squares are computed in half precision.

float16 only goes up to 65,504, so the square of 256 is infinite, and the vector comes out as zeros. Convert x to
float32 before you square it, and back to its dtype at the end.
"""


def widen(x):
    return x
