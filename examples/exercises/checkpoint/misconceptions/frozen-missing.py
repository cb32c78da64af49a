"""Frozen weights are lost.

They are not trained, and the model computes with them all the same. Save all weights.
"""


def weights_of(model):
    frozen = {name for name, weight in model.named_parameters() if not weight.requires_grad}
    return {name: weight for name, weight in model.state_dict().items() if name not in frozen}


def restore_weights(model, weights):
    frozen = {name for name, weight in model.named_parameters() if not weight.requires_grad}
    own = {name: weight for name, weight in model.state_dict().items() if name in frozen}
    model.load_state_dict({**own, **weights})
