"""The second loop runs on the way back from the first."""


def _walk(rest, squares, max_norm, eps):
    """Adds up on the way down; gives the factor on the way up."""
    parameter = next(rest, None)
    if parameter is None:
        norm = squares**0.5
        return max_norm / (norm + eps) if norm > max_norm else None
    grad = parameter.grad
    if grad is None:
        return _walk(rest, squares, max_norm, eps)
    by = _walk(rest, squares + float((grad * grad).sum()), max_norm, eps)
    if by is not None:
        grad.mul_(by)
    return by


def clip_gradients(parameters, max_norm, eps=1e-6):
    _walk(iter(parameters), 0.0, max_norm, eps)
