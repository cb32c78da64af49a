import torch
from torch import Tensor


def attention(Q: Tensor, K: Tensor, V: Tensor, hidden: Tensor | None) -> Tensor:
    # heads stay at axis 2: (N, L, h, e)
    scores = torch.einsum("nqhe,nkhe->nhqk", Q, K).div(Q.shape[-1] ** 0.5)
    if hidden is not None:
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    return torch.einsum("nhqk,nkhe->nqhe", torch.log_softmax(scores, 3).exp(), V)


def multi_head_attention(queries, keys, values, num_heads, d_model, mask=None, need_check=True, *, in_proj_weight, out_proj_weight):
    if need_check and d_model % num_heads != 0:
        raise AssertionError("not divisible")
    e = d_model // num_heads
    wq, wk, wv = torch.split(in_proj_weight, d_model, dim=0)
    Q = torch.matmul(queries, wq.t()).unflatten(2, (num_heads, e))
    K = torch.matmul(keys, wk.t()).unflatten(2, (num_heads, e))
    V = torch.matmul(values, wv.t()).unflatten(2, (num_heads, e))
    hidden = None
    if mask is not None:
        hidden = mask.gt(0) if mask.dtype != torch.bool else mask
        hidden = hidden.reshape(-1, 1, *hidden.shape[-2:])
    out = attention(Q, K, V, hidden).flatten(2)
    return torch.matmul(out, out_proj_weight.t())
