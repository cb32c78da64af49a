"""The two branches are added instead of multiplied."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = gate * torch.sigmoid(gate)
    return (gate + (x @ w3.T)) @ w2.T
