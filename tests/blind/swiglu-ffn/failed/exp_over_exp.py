"""exp(z) / (1 + exp(z)) is infinity over infinity for a large gate."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = gate * torch.exp(gate) / (1 + torch.exp(gate))
    return (gate * (x @ w3.T)) @ w2.T
