"""Indices instead of transposed weights, under other names."""

from torch import einsum, sigmoid


def swiglu_ffn(tokens, gate_proj, down_proj, up_proj):
    gate = einsum("...m,fm->...f", tokens, gate_proj)
    up = einsum("...m,fm->...f", tokens, up_proj)
    return einsum("...f,mf->...m", gate * sigmoid(gate) * up, down_proj)
