"""A right SwiGLU: the formula as it stands, with torch.sigmoid."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    return (gate * torch.sigmoid(gate) * (x @ w3.T)) @ w2.T
