"""The mode of the model is changed.

`eval()` switches off what training needs, and `train()` switches it on. Saving and loading have nothing to do with that: leave it.
"""


def restore_weights(model, weights):
    model.load_state_dict(weights)
    model.eval()
