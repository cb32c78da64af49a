"""The gate is computed from w3 and gates w1: the two projections are swapped."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w3.T
    gate = gate * torch.sigmoid(gate)
    return (gate * (x @ w1.T)) @ w2.T
