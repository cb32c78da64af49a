"""Weights of float64 are rounded to float32.

Then a training run in float64 does not go on as it was. Save them in their own dtype.
"""


def weights_of(model):
    return {name: each.float() if each.is_floating_point() else each for name, each in model.state_dict().items()}
