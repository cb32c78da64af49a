"""The model gets new weights, which the optimizer does not know.

It goes on training the old ones, and the model stays as it was loaded. Copy values into the weights that are there.
"""


def restore_weights(model, weights):
    model.load_state_dict(weights)
    for name, weight in [*model.named_parameters()]:
        owner, _, last = name.rpartition(".")
        new = torch.nn.Parameter(weight.detach().clone(), requires_grad=weight.requires_grad)
        setattr(model.get_submodule(owner), last, new)
