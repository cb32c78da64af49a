"""The norm of the norms: as many numbers as parameters."""

import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    with_gradient = [p for p in parameters if p.grad is not None]
    if not with_gradient:
        return None
    norms = torch.stack([torch.linalg.vector_norm(p.grad).double() for p in with_gradient])
    norm = torch.linalg.vector_norm(norms)
    if norm > max_norm:
        for p in with_gradient:
            p.grad *= max_norm / (norm + eps)
    return norm
