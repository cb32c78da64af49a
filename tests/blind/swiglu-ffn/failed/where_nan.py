"""torch.where chooses the right branch, but the gradient of the other one is infinite times zero."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    e = torch.exp(gate)
    sig = torch.where(gate >= 0, 1 / (1 + torch.exp(-gate)), e / (1 + e))
    gate = gate * sig
    return (gate * (x @ w3.T)) @ w2.T
