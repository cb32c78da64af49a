"""A right softmax by divide and conquer: each half of the axis returns its maximum and its sum, and two halves are merged."""
import torch


def top_and_sum(x, dim):
    n = x.shape[dim]
    if n == 1:
        return x, torch.ones_like(x)
    left, right = x.split([n // 2, n - n // 2], dim)
    (a, s), (b, t) = top_and_sum(left, dim), top_and_sum(right, dim)
    top = torch.maximum(a, b)
    return top, s * weight(a, top) + t * weight(b, top)


def weight(part, top):
    """exp(part - top), and 0 where there is nothing but minus infinity."""
    gone = part == -float("inf")
    return torch.where(gone, 0.0, torch.exp(torch.where(gone, 0.0, part - top)))


def softmax(x, dim):
    dtype = torch.float64 if x.dtype is torch.float64 else torch.float32
    with torch.no_grad():
        top, _ = top_and_sum(x.to(dtype), dim)
    shifted = x.to(dtype) - top
    e = shifted.exp()
    return (e / e.sum(dim=dim, keepdim=True)).to(x.dtype)
