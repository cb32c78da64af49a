"""Wrong: the gate is sigmoid(W1 x), as in the first GLU, without the factor W1 x."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    return (torch.sigmoid(x @ w1.T) * (x @ w3.T)) @ w2.T
