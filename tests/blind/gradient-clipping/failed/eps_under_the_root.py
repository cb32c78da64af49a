"""Wrong: eps is added to the sum of squares under the root instead of to the norm."""
import math

import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    squares = sum(g.double().square().sum().item() for g in grads)
    if math.sqrt(squares) > max_norm:
        for g in grads:
            g.mul_(max_norm / math.sqrt(squares + eps))
