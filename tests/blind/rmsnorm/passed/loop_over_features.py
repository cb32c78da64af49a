"""A beginner's loop over the features to sum the squares, in float64."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    total = torch.zeros(x.shape[:-1], dtype=torch.float64, device=x.device)
    for j in range(x.shape[-1]):
        total = total + x[..., j].double() ** 2
    rms = torch.sqrt(total / x.shape[-1] + eps)
    columns = []
    for j in range(x.shape[-1]):
        columns.append(x[..., j].double() / rms * weight[j].double())
    return torch.stack(columns, dim=-1).to(x.dtype)
