"""The weight is not used.

After normalising, the weight lets the model decide which features count. The last step is to multiply each feature by
its own weight.
"""


def apply_weight(x, weight):
    return x
