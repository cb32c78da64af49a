"""Wrong: `if not max_norm` takes a max_norm of 0 for "no clipping" instead of making all gradients zero."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    if not max_norm:
        return
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = sum(float(g.double().square().sum()) for g in grads) ** 0.5
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / (norm + eps))
