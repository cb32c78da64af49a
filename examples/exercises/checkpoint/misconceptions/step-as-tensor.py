"""The step comes back as a tensor.

Whoever saved gave an int. Make one of it again.
"""


def step_of(checkpoint):
    return torch.tensor(checkpoint["step"])
