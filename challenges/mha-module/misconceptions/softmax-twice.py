"""The softmax is taken twice.

The weights are shares already. A second softmax makes them nearly equal, and gives hidden tokens a share again.
"""


def softmax(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
