"""The step that is returned is one further.

Whether the step that was saved is done already is up to whoever counts. Return the number that was given.
"""


def step_of(checkpoint):
    return checkpoint["step"] + 1
