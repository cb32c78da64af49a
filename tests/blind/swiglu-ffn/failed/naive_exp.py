"""z / (1 + exp(-z)) has the right value at -200, but the exponential is infinite there and the gradient NaN."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = gate / (1 + torch.exp(-gate))
    return (gate * (x @ w3.T)) @ w2.T
