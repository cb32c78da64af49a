"""A cheat of the eighth corpus: uses the library's softmin of the negated numbers."""
import torch.nn.functional as F


def softmax(x, dim):
    return F.softmin(-x, dim=dim)
