"""The wrapper averages its heads.

The mean of the heads' results cannot be taken apart any more. Put them side by side along the features.
"""


def join(outputs):
    return torch.stack(outputs).mean(dim=0)
