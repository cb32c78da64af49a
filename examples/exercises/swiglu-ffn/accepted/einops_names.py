"""Named axes, with einops."""

from einops import einsum


def swiglu_ffn(x, w1, w2, w3):
    gate = einsum(x, w1, "... d_model, d_ff d_model -> ... d_ff")
    up = einsum(x, w3, "... d_model, d_ff d_model -> ... d_ff")
    return einsum(gate.sigmoid() * gate * up, w2, "... d_ff, d_model d_ff -> ... d_model")
