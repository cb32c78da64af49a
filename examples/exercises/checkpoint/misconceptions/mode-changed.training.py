"""The mode of the model is changed.

`train()` after loading seems handy, but whoever wants to evaluate had called `eval()` before. Leave the mode alone.
"""


def restore_weights(model, weights):
    model.load_state_dict(weights)
    model.train()
