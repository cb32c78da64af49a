"""Squares beyond {each} are clipped.

The square of 60,000 is finite in float32 and counts in full. Convert to float32 before you square; no clipping is
needed.
"""

EACH = {"65,504": 65504.0, "a million": 1e6}


def mean_square(x):
    return x.square().clamp(max=each).mean(dim=-1, keepdim=True)
