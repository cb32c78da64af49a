import torch
from einops import reduce


def _rows(z):
    """Softmax along the last axis."""
    top = reduce(z, "... n -> ... 1", "max")
    z = torch.exp(z - top)
    total = reduce(z, "... n -> ... 1", "sum")
    return z / total


def softmax(x, dim):
    # bring the axis to the end, work there, and bring it back
    z = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    out = _rows(torch.movedim(z, dim, -1))
    return torch.movedim(out, -1, dim).to(x.dtype)
