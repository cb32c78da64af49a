"""w2 is taken for what is gated and w3 for the way down: the order of the arguments is w1, w2, w3 with w2 down."""
import torch


def swiglu_ffn(x, w1, w3, w2):
    gate = x @ w1.T
    gate = gate * torch.sigmoid(gate)
    return (gate * (x @ w3.T)) @ w2.T
