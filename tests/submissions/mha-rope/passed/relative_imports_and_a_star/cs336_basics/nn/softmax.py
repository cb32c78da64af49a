import torch


def softmax(x, dim):
    return torch.softmax(x, dim=dim)
