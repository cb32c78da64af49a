"""The products are computed in bfloat16, which is too coarse."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    dtype = x.dtype
    x, w1, w2, w3 = (t.bfloat16() for t in (x, w1, w2, w3))
    gate = x @ w1.T
    gate = gate * torch.sigmoid(gate)
    return ((gate * (x @ w3.T)) @ w2.T).to(dtype)
