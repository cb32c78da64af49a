"""The gate is clamped to 20 before the product, so large gates are cut off."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = (x @ w1.T).clamp(-20, 20)  # keeps exp from overflowing
    gate = gate * torch.sigmoid(gate)
    return (gate * (x @ w3.T)) @ w2.T
