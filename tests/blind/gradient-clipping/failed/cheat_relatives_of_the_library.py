"""Cheat: the norm comes from torch.nn.utils.get_total_norm, a relative of clip_grad_norm_."""
from torch.nn import utils


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad.detach() for p in parameters if p.grad is not None]
    norm = float(utils.get_total_norm([g.double() for g in grads])) if grads else 0.0
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / (norm + eps))
