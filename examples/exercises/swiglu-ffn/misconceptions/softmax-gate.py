"""The gate is shared out over the features.

A softmax makes features compete: if one gate opens, others close. In SwiGLU each gate depends on its own number alone.
"""


def silu(z):
    return z * torch.softmax(z, dim=-1)
