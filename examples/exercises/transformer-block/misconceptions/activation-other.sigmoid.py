"""The gate goes through a sigmoid alone.

silu(a) is a times sigmoid(a). The sigmoid alone makes a GLU, not a SwiGLU.
"""


def silu(a):
    return torch.sigmoid(a)
