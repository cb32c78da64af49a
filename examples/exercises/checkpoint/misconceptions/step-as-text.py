"""The step comes back as a text.

Whoever saved gave an int. Make one of it again.
"""


def step_of(checkpoint):
    return str(checkpoint["step"])
