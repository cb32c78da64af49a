"""The activation is applied to the product of both branches instead of the gate alone."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    both = gate * (x @ w3.T)
    return (both * torch.sigmoid(both)) @ w2.T
