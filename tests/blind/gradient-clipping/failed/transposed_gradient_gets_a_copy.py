"""Wrong: gradients are flattened with reshape(-1) and scaled there, which for a transposed gradient scales a copy and leaves the gradient as it was."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    flat = [p.grad.detach().reshape(-1) for p in parameters if p.grad is not None]
    norm = sum((f.double() @ f.double()).item() for f in flat) ** 0.5
    if norm > max_norm:
        for f in flat:
            f.mul_(max_norm / (norm + eps))
