"""The squares are taken in half precision.

float16 ends at 65,504, so the square of anything above 255 is infinite, and the vector comes out as zeros. Widen x to
float32 before you square it, and come back to its dtype at the end.
"""


def widen(x):
    return x
