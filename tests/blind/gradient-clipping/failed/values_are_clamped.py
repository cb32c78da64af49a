"""Wrong: each number is clamped to the range from -max_norm to max_norm instead of scaling all by one factor."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = sum(float(g.double().square().sum()) for g in grads) ** 0.5
    if norm > max_norm:
        for g in grads:
            g.clamp_(-max_norm, max_norm)
