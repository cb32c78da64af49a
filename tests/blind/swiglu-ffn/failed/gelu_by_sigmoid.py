"""Wrong: the activation is z * sigmoid(1.702 z), the quick approximation of GELU, instead of z * sigmoid(z)."""
import torch


def activation(z):
    return z * torch.sigmoid(1.702 * z)


def swiglu_ffn(x, w1, w2, w3):
    return (activation(x @ w1.mT) * (x @ w3.mT)) @ w2.mT
