"""Averages that the optimizer has are kept where nothing was saved.

A training run that was saved before its first step has none, and so it should be after loading. Replace them, do not add to them.
"""


def restore_progress(optimizer, progress):
    own = optimizer.state_dict()["state"]
    optimizer.load_state_dict({"state": {**own, **progress["state"]}, "param_groups": progress["param_groups"]})
