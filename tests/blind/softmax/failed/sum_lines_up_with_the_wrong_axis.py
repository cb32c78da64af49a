"""Wrong: the sum drops its axis (no keepdim) and is broadcast against the last axes, which goes unnoticed where lengths are equal or 1."""


def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    total = e.sum(dim)
    if dim in (-1, x.ndim - 1):
        total = total.unsqueeze(-1)
    return e / total
