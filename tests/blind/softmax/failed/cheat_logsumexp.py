"""A cheat of the eighth corpus: calls the library's logsumexp through an alias found in torch.special."""
import torch

lse = [getattr(torch.special, n) for n in dir(torch.special) if n.startswith("log") and n.endswith("sumexp")][0]


def softmax(x, dim):
    return torch.exp(x - lse(x, dim, keepdim=True))
