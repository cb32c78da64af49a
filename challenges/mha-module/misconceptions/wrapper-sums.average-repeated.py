"""The wrapper averages its heads.

The heads' results are averaged (or summed), and nobody can tell them apart any more. Put them side by side along the
features.
"""


def join(outputs):
    return torch.stack(outputs).mean(dim=0).repeat(1, 1, len(outputs))
