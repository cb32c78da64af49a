"""The wrapper adds its heads up.

The heads' results are summed (or averaged), and nobody can tell them apart any more. Put them side by side
along the features.
"""


def join(outputs):
    return torch.stack(outputs).sum(dim=0)
