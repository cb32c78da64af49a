"""Wrong: the factor max_norm / (norm + eps) decides whether to clip, so eps plays a part in the comparison, and gradients a little longer than max_norm are left."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = sum(float(g.double().square().sum()) for g in grads) ** 0.5
    if norm + eps == 0:
        return
    factor = max_norm / (norm + eps)
    if factor < 1:
        for g in grads:
            g.mul_(factor)
