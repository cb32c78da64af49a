import torch


def per_head(f, q, k, v, n):
    return torch.cat([f(*parts) for parts in zip(q.chunk(n, -1), k.chunk(n, -1), v.chunk(n, -1))], dim=-1)
