"""Wrong: torch.cat joins gradients that are flattened only if they have more than one axis, and raises an error for a parameter that is a single number."""
import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return
    norm = torch.cat([(g.flatten() if g.ndim > 1 else g).double() for g in grads]).norm().item()
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / (norm + eps))
