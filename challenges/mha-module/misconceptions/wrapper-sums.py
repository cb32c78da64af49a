"""The wrapper sums its heads.

The results of the heads are summed (or averaged) and can no longer be told apart. Concatenate them along the features.
"""


def join(outputs):
    return torch.stack(outputs).sum(dim=0)
