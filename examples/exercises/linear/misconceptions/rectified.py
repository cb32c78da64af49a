"""Negative outputs are set to zero.

The layer is linear. What comes between two layers is for the model to say.
"""


def applied(x, weight):
    return torch.relu(x @ weight.T)
