"""x is added to the result: a residual connection was not asked for."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = gate * torch.sigmoid(gate)
    return x + (gate * (x @ w3.T)) @ w2.T
