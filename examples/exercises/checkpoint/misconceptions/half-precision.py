"""Weights are saved with fewer digits.

A training run that goes on from rounded weights is another one. Save them in their own dtype.
"""


def weights_of(model):
    return {name: each.bfloat16() if each.is_floating_point() else each for name, each in model.state_dict().items()}
