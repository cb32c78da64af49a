"""Wrong: gradients are always scaled to the length max_norm, so those that are shorter become longer."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = sum(float(g.double().square().sum()) for g in grads) ** 0.5
    if norm == 0:
        return
    for g in grads:
        g.mul_(max_norm / (norm + eps))
