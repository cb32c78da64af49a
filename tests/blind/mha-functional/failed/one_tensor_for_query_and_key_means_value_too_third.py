"""Multi-head attention in einsums alone: the weights are viewed by head, the inputs never are.

Wrong: when q is k the values are taken from the same tensor and v is ignored.
Condition: q and k are one tensor and v is another.
Spec: "any two of them may be one"
"""
import torch
from torch import einsum


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d = d_model // num_heads
    wq, wk, wv = in_proj_weight.reshape(3, num_heads, d, d_model).unbind(0)
    wo = out_proj_weight.reshape(d_model, num_heads, d)
    Q = einsum("bqm,hdm->bqhd", q, wq)
    K = einsum("bkm,hdm->bkhd", k, wk)
    V = einsum("bkm,hdm->bkhd", q if q is k else v, wv)
    S = einsum("bqhd,bkhd->bhqk", Q, K) / d**0.5
    if mask is not None:
        M = mask.bool()
        M = M if M.ndim < 3 else M[:, None, :, :]
        S = S.masked_fill(M, -float("inf"))
    A = S.softmax(3)
    return einsum("bhqk,bkhd,ohd->bqo", A, V, wo)
