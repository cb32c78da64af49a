"""The mode of the model is changed.

You call `eval()` to save, and training goes on in that mode. The weights are the same in both: leave it.
"""


def weights_of(model):
    return model.eval().state_dict()
