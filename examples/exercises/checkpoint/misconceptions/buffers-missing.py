"""The buffers of the model are lost.

Running averages, as a batch norm has, are no parameters, and belong to the model all the same. Save its whole `state_dict()`.
"""


def weights_of(model):
    return dict(model.named_parameters())


def restore_weights(model, weights):
    model.load_state_dict({**model.state_dict(), **weights})
    if weights.keys() - model.state_dict().keys() or dict(model.named_parameters()).keys() - weights.keys():
        raise RuntimeError("Error(s) in loading state_dict for Sequential")
