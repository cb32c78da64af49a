"""SwiGLU feed-forward (Shazeer 2020): W2 (SiLU(W1 x) * W3 x)."""

import torch
from einops import einsum
from torch import Tensor


def silu(z: Tensor) -> Tensor:
    return z * z.sigmoid()


def swiglu_ffn(x: Tensor, w1: Tensor, w2: Tensor, w3: Tensor) -> Tensor:
    d_ff, d_model = w1.shape
    assert w3.shape == (d_ff, d_model) and w2.shape == (d_model, d_ff), "weights do not fit together"
    assert x.shape[-1] == d_model
    gate = silu(einsum(x, w1, "... d_model, d_ff d_model -> ... d_ff"))
    value = einsum(x, w3, "... d_model, d_ff d_model -> ... d_ff")
    return einsum(gate * value, w2, "... d_ff, d_model d_ff -> ... d_model")
