"""Multi-head attention with every argument checked before any arithmetic.

Wrong: L_k is read from q.
Condition: L_q differs from L_k.
Spec: "The length of `q` is not the length of `k`: read each from its own tensor."
"""
import math

import torch


def _check(q, k, v, num_heads, d_model, w_in, w_out):
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {d_model} features")
    for name, t in (("q", q), ("k", k), ("v", v)):
        if t.ndim != 3 or t.shape[-1] != d_model:
            raise ValueError(f"{name}: expected (N, L, {d_model}), got {tuple(t.shape)}")
    if k.shape[1] != v.shape[1]:
        raise ValueError("k and v differ in length")
    if tuple(w_in.shape) != (3 * d_model, d_model):
        raise ValueError("in_proj_weight has the wrong shape")
    if tuple(w_out.shape) != (d_model, d_model):
        raise ValueError("out_proj_weight has the wrong shape")


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, return_weights=False):
    _check(q, k, v, num_heads, d_model, in_proj_weight, out_proj_weight)
    n, lq, lk, dh = q.shape[0], q.shape[1], q.shape[1], d_model // num_heads

    pq = torch.matmul(q, in_proj_weight[0:d_model].T)
    pk = torch.matmul(k, in_proj_weight[d_model:2 * d_model].T)
    pv = torch.matmul(v, in_proj_weight[2 * d_model:3 * d_model].T)
    pq = pq.reshape(n, lq, num_heads, dh).permute(0, 2, 1, 3)
    pk = pk.reshape(n, lk, num_heads, dh).permute(0, 2, 3, 1)
    pv = pv.reshape(n, lk, num_heads, dh).permute(0, 2, 1, 3)

    logits = torch.matmul(pq, pk).div(math.sqrt(dh))
    if mask is not None:
        full = torch.broadcast_to(mask, (n, lq, lk)).to(dtype=torch.bool, device=logits.device)
        logits = torch.masked_fill(logits, full.view(n, 1, lq, lk) if full.is_contiguous() else full.unsqueeze(1), -math.inf)
    probs = torch.nn.functional.softmax(logits, dim=-1)
    out = torch.matmul(probs, pv).permute(0, 2, 1, 3).reshape(n, lq, d_model).matmul(out_proj_weight.T)
    assert out.dtype == q.dtype and out.shape == q.shape
    return (out, probs) if return_weights else out
