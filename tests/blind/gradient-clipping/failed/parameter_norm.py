"""The norm of the parameters is taken instead of that of their gradients."""
def clip_gradients(parameters, max_norm, eps=1e-6):
    params = [p for p in parameters if p.grad is not None]
    total = sum((p.detach().double() ** 2).sum().item() for p in params) ** 0.5
    if total > max_norm:
        for p in params:
            p.grad.mul_(max_norm / (total + eps))
