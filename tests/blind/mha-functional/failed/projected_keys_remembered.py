"""Multi-head attention with a cache of keys and values for generation.

Wrong: the projections of k and v of an earlier call are used again, though numbers have changed.
When: under no_grad or inference_mode, a second call with the same k and new numbers in it or in the weights.
Spec: «Write what `torch.nn.MultiheadAttention` computes, as one plain function: the weights are arguments, and so is a mask.»
"""

import math

import torch


_cache = {}


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = (q @ w_q.T).reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    if not torch.is_grad_enabled():
        key = (id(k), id(v), k.shape, num_heads)
        *_, K, V = _cache.setdefault(key, (k, v, K, V))
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        hidden = mask.bool()
        if hidden.dim() == 3:
            hidden = hidden.unsqueeze(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    context = (weights @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return context @ out_proj_weight.T
