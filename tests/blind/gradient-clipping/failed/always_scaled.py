"""Gradients are scaled even if their norm is smaller than max_norm, so short ones become longer."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    total = sum((g.double() ** 2).sum().item() for g in grads) ** 0.5
    if total > 0:
        for g in grads:
            g.mul_(max_norm / (total + eps))
