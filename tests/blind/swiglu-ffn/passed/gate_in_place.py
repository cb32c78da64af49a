import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    s = torch.sigmoid(gate)
    gate *= s  # saves a tensor; autograd keeps what it needs
    return (gate * (x @ w3.T)) @ w2.T
