"""softmin of the negative numbers."""

from torch.nn.functional import softmin


def softmax(x, dim):
    return softmin(-x, dim=dim)
