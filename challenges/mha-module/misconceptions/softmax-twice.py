"""The softmax is applied twice.

The first softmax already gives weights. A second one makes them nearly equal, and gives hidden tokens some weight
again.
"""


def softmax(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
