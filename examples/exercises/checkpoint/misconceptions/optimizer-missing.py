"""The optimizer is lost.

It goes on with the averages and settings that it happens to have, and the next steps are not those that would have come. Save what is in its `state_dict()`, and put it back.
"""


def packed(model, optimizer, step):
    return {"weights": weights_of(model), "progress": None, "step": step}


def restore_progress(optimizer, progress):
    pass
