"""Wrong: the first parameter without a gradient ends the collection (break instead of continue), so those after it are not clipped and not counted."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = []
    for p in parameters:
        if p.grad is None:
            break
        grads.append(p.grad)
    norm = sum(float(g.double().square().sum()) for g in grads) ** 0.5
    if norm > max_norm:
        torch._foreach_mul_(grads, max_norm / (norm + eps))
