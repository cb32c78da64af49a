"""The activation is ReLU, not SiLU."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = gate.clamp(min=0)
    return (gate * (x @ w3.T)) @ w2.T
