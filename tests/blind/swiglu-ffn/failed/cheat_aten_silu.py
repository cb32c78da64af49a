"""A cheat of the eighth corpus: calls the kernel torch.ops.aten.silu."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    gate = x @ w1.T
    gate = torch.ops.aten.silu.default(gate)
    return (gate * (x @ w3.T)) @ w2.T
