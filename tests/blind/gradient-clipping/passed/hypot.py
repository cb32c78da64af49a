import math

import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    with_grad = [p for p in parameters if p.grad is not None]
    norm = math.hypot(*(p.grad.detach().to(torch.float64).norm().item() for p in with_grad))
    if norm <= max_norm:
        return norm
    for p in with_grad:
        torch.mul(p.grad, max_norm / (norm + eps), out=p.grad.detach())
    return norm
