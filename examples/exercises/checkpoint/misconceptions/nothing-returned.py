"""`load_checkpoint` returns nothing.

It puts weights and averages into the model and the optimizer, and the step has no other way out than as the result.
"""


def step_of(checkpoint):
    return None
