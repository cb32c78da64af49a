"""A model with other weights is accepted.

Weights are taken one after the other, whatever they are called. Compare the names before you copy.
"""


def restore_weights(model, weights):
    model.load_state_dict(dict(zip(model.state_dict(), weights.values())))
