"""Wrong: z / (1 + exp(-z)) overflows in float32 for a gate of -200, and its gradient becomes NaN; results are right."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    z = x @ w1.T
    silu = z / (1 + torch.exp(-z))
    return (silu * (x @ w3.T)) @ w2.T
