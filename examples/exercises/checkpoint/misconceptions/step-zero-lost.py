"""Step 0 counts as no step.

`or`, and an `if` on the number itself, take 0 for nothing. Ask for None if that is meant.
"""


def step_of(checkpoint):
    return checkpoint["step"] or None
