"""The settings of the optimizer are lost.

A schedule changes the learning rate on the way; after loading it is as it was at first. Settings are part of the optimizer's `state_dict()`.
"""


def restore_progress(optimizer, progress):
    own = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": progress["state"], "param_groups": own})
