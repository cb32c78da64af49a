"""The parameters are scaled, not their gradients."""
def clip_gradients(parameters, max_norm, eps=1e-6):
    params = [p for p in parameters if p.grad is not None]
    total = sum((p.grad.double() ** 2).sum().item() for p in params) ** 0.5
    if total > max_norm:
        for p in params:
            p.data.mul_(max_norm / (total + eps))
