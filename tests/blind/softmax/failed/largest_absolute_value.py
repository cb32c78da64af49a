"""Wrong: subtracts the largest absolute value instead of the maximum, so rows near -1000 underflow to 0 / 0."""
import torch


def softmax(x, dim):
    finite = torch.where(torch.isinf(x), torch.zeros_like(x), x)
    top = finite.abs().amax(dim, keepdim=True)
    e = torch.exp(x - top)
    return e / e.sum(dim, keepdim=True)
