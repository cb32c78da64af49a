"""The averages of the optimizer are lost.

Only its settings are kept. What it remembers of earlier gradients decides where the next step goes.
"""


def restore_progress(optimizer, progress):
    optimizer.load_state_dict({"state": {}, "param_groups": progress["param_groups"]})
