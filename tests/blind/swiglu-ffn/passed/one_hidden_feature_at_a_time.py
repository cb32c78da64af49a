"""A right SwiGLU: a loop over the hidden features, each of which adds its column of w2."""
import torch


def swiglu_ffn(x, w1, w2, w3):
    result = torch.zeros_like(x)
    for gate_row, up_row, down_column in zip(w1.unbind(0), w3.unbind(0), w2.unbind(1)):
        gate = (x * gate_row).sum(-1, keepdim=True)
        up = (x * up_row).sum(-1, keepdim=True)
        result = result + gate.sigmoid() * gate * up * down_column
    return result
