"""Large logits overflow even in float64.

float64 only moves the limit: exp of 710 is infinite there too, and exp of -750 is zero. Subtract the maximum of each
position first.
"""


def shift(logits):
    return logits.double()
