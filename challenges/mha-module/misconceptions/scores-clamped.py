"""The scores are clamped.

Scores may be in the hundreds, and a bound changes what they say. The softmax takes the row's maximum off first, and needs no
other care.
"""


def scale(scores, layer):
    return (scores / math.sqrt(layer.head_dim)).clamp(-10, 10)
